internal import Dispatch
internal import Foundation
internal import Futures
internal import OrderTaking

extension HTTPTransport {
  /// Plain HTTP over TCP, with Dispatch sources: one connection for each request.
  ///
  /// Of a name with several addresses they are tried one after the other. It follows no redirection, and speaks neither HTTPS nor
  /// to proxies. An answer's header may have 64 KiB and its body
  /// 4 MiB.
  ///
  /// - Parameter maxConnections: How many there are at once; further requests wait for their turn.
  public static func tcp(maxConnections: Int = 64) -> HTTPTransport {
    tcp(maxConnections: maxConnections) { host, port throws(SocketFailure) in
      try SocketAddress.resolve(host, port: port)
    }
  }

  /// The same, with another way to look up names.
  static func tcp(maxConnections: Int, resolve: @escaping AddressLookup) -> HTTPTransport {
    let desk = ExchangeDesk(maxConnections: max(1, maxConnections), resolve)
    return HTTPTransport { request in desk.send(request) }
  }

  typealias AddressLookup = @Sendable (_ host: String, _ port: Int) throws(SocketFailure) -> [SocketAddress]
}

/// The exchanges under way, and those that wait for their turn.
///
/// `@unchecked Sendable`: everything that changes is touched on `queue` alone.
private final class ExchangeDesk: @unchecked Sendable {
  private let queue = DispatchQueue(label: "OrderTaking.HTTPTransport")
  private let maxConnections: Int
  private var running: [Int: Exchange] = [:]
  private var waiting: [Exchange] = []
  private var exchanges = 0

  private let resolve: HTTPTransport.AddressLookup

  init(maxConnections: Int, _ resolve: @escaping HTTPTransport.AddressLookup) {
    self.maxConnections = maxConnections
    self.resolve = resolve
  }

  func send(_ request: HTTPTransport.Request) -> Future<HTTPTransport.Response, HTTPError> {
    guard request.url.scheme?.lowercased() == "http", let host = request.url.host(percentEncoded: false), !host.isEmpty
    else {
      let message =
        "cannot request \(request.url.absoluteString) over plain TCP: it is not http://HOST. Use HTTPTransport.urlSession"
      return Future(error: HTTPError(.transport(mayHaveReachedServer: false), message: message))
    }
    let promise = Promise<HTTPTransport.Response, HTTPError>()
    let bytes = Self.bytes(of: request, host)
    let port = request.url.port ?? 80
    queue.async {
      self.exchanges += 1
      let number = self.exchanges
      let exchange = Exchange(bytes, on: self.queue) { result in
        promise.complete(result)
        self.ended(number)
      }
      exchange.number = number
      exchange.target = (host, port)
      promise.onCancel { self.queue.async { exchange.finish(.failure(.cancellation)) } }
      self.waiting.append(exchange)
      self.startMore()
    }
    return promise.future
  }

  private func startMore() {
    while running.count < maxConnections, !waiting.isEmpty {
      let exchange = waiting.removeFirst()
      guard !exchange.isFinished else { continue }
      running[exchange.number] = exchange
      let (host, port) = exchange.target
      // Elsewhere: it blocks.
      DispatchQueue.global().async {
        let addresses = Result { () throws(SocketFailure) in try self.resolve(host, port) }
        self.queue.async { exchange.connect(addresses) }
      }
    }
  }

  private func ended(_ number: Int) {
    running[number] = nil
    startMore()
  }

  private static func bytes(of request: HTTPTransport.Request, _ host: String) -> [UInt8] {
    let components = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
    let path = components?.percentEncodedPath ?? ""
    let query = components?.percentEncodedQuery.map { "?" + $0 } ?? ""
    let address = host.contains(":") ? "[\(host)]" : host
    var head = "\(request.method) \(path.isEmpty ? "/" : path)\(query) HTTP/1.1\r\n"
    head += "Host: \(address)\(request.url.port.map { ":\($0)" } ?? "")\r\nConnection: close\r\nAccept: */*\r\n"
    // A token with a line end in it must not become a header of its own.
    for (name, value) in request.headers {
      head += "\(name): " + String(value.unicodeScalars.map { $0.value < 32 ? " " : Character($0) }) + "\r\n"
    }
    if let body = request.body { head += "Content-Length: \(body.count)\r\n" }
    return Array((head + "\r\n").utf8) + (request.body ?? [])
  }
}

/// One request and its answer, on a connection of their own.
///
/// Not thread-safe: used on its queue alone.
private final class Exchange: @unchecked Sendable {
  var number = 0
  var target = (host: "", port: 0)
  private let bytes: [UInt8]
  private let queue: DispatchQueue
  /// Those that have not been tried yet.
  private var addresses: ArraySlice<SocketAddress> = []
  private var onEnd: ((Result<HTTPTransport.Response, HTTPError>) -> Void)?
  private var socket: TCPSocket?
  private var parser = HTTPResponseParser()
  private var hasSent = false

  init(
    _ bytes: [UInt8], on queue: DispatchQueue, onEnd: @escaping (Result<HTTPTransport.Response, HTTPError>) -> Void
  ) {
    self.bytes = bytes
    self.queue = queue
    self.onEnd = onEnd
  }

  var isFinished: Bool { onEnd == nil }

  func finish(_ result: Result<HTTPTransport.Response, HTTPError>) {
    socket?.close()
    socket = nil
    let tell = onEnd
    onEnd = nil
    tell?(result)
  }

  func connect(_ found: Result<[SocketAddress], SocketFailure>) {
    do throws(SocketFailure) { addresses = try found.get()[...] } catch { return fail(error.description) }
    connectToNext()
  }

  private func connectToNext() {
    guard !isFinished, let address = addresses.popFirst() else { return }
    do throws(SocketFailure) {
      socket = try TCPSocket(to: address, on: queue, outgoingLimit: bytes.count) { [weak self] in self?.happened($0) }
    } catch {
      couldNotConnect(error.description)
    }
  }

  /// A name may stand for an address on which nobody listens: then the next one is tried.
  private func couldNotConnect(_ reason: String) {
    if addresses.isEmpty { fail(reason) } else { connectToNext() }
  }

  private func happened(_ event: TCPSocket.Event) {
    do throws(HTTPResponseParser.Malformed) {
      switch event {
      case .connected:
        hasSent = true
        socket?.send(bytes)
      case .received(let bytes):
        if let response = try parser.append(bytes) { finish(.success(response)) }
      case .ended(let reason, let isWhole):
        guard hasSent else { return couldNotConnect(reason) }
        guard isWhole, let response = try? parser.end() else { return fail(reason) }
        finish(.success(response))
      }
    } catch {
      fail(error.reason)
    }
  }

  private func fail(_ reason: String) {
    finish(
      .failure(
        HTTPError(.transport(mayHaveReachedServer: hasSent), message: "\(target.host):\(target.port): \(reason)")))
  }
}
