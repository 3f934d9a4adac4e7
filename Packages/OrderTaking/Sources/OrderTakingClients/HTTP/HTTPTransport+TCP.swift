internal import Dispatch
internal import Foundation
internal import Futures
internal import OrderTaking

extension HTTPTransport {
  /// Returns a transport of plain HTTP over TCP, with one connection for each request.
  ///
  /// It tries the addresses of a host in order. It supports neither HTTPS nor redirects nor proxies. A request to any other URL than
  /// `http://HOST` fails with status 400 before anything is sent, so it is not retried. The header of a response has at most 64 KiB,
  /// and its body 4 MiB.
  ///
  /// - Parameter maxConnections: The maximum number of connections at the same time. Further requests wait.
  public static func tcp(maxConnections: Int = 64) -> HTTPTransport {
    tcp(maxConnections: maxConnections) { host, port throws(SocketFailure) in
      try SocketAddress.resolve(host, port: port)
    }
  }

  /// Returns the same transport with another look-up of addresses.
  static func tcp(maxConnections: Int, resolve: @escaping AddressLookup) -> HTTPTransport {
    let desk = ExchangeDesk(maxConnections: max(1, maxConnections), resolve)
    return HTTPTransport { request in desk.send(request) }
  }

  typealias AddressLookup = @Sendable (_ host: String, _ port: Int) throws(SocketFailure) -> [SocketAddress]
}

/// The current and the waiting exchanges.
///
/// `@unchecked Sendable`: all variables are used only on `queue`.
private final class ExchangeDesk: @unchecked Sendable {
  private let queue = DispatchQueue(label: "OrderTaking.HTTPTransport")
  private let maxConnections: Int
  private let resolve: HTTPTransport.AddressLookup
  private var running: [ObjectIdentifier: Exchange] = [:]
  private var waiting: [Exchange] = []

  init(maxConnections: Int, _ resolve: @escaping HTTPTransport.AddressLookup) {
    self.maxConnections = maxConnections
    self.resolve = resolve
  }

  func send(_ request: HTTPTransport.Request) -> Future<HTTPTransport.Response, HTTPError> {
    guard request.url.scheme?.lowercased() == "http", let host = request.url.host(percentEncoded: false), !host.isEmpty
    else {
      let message =
        "cannot request \(request.url.absoluteString) over plain TCP: it is not http://HOST. Use HTTPTransport.urlSession"
      return Future(error: HTTPError(.status(400), message: message))
    }
    let promise = Promise<HTTPTransport.Response, HTTPError>()
    let exchange = Exchange(Self.bytes(of: request, host), host, request.url.port ?? 80, on: queue) {
      promise.complete($0)
    }
    promise.onCancel { self.queue.async { exchange.finish(.failure(.cancellation)) } }
    queue.async {
      self.waiting.append(exchange)
      self.startMore()
    }
    return promise.future
  }

  private func startMore() {
    while running.count < maxConnections, !waiting.isEmpty {
      let exchange = waiting.removeFirst()
      guard !exchange.isFinished else { continue }
      running[ObjectIdentifier(exchange)] = exchange
      exchange.whenFinished = { [unowned exchange] in
        self.running[ObjectIdentifier(exchange)] = nil
        self.startMore()
      }
      // On another queue, because it blocks.
      DispatchQueue.global().async {
        let addresses = Result { () throws(SocketFailure) in try self.resolve(exchange.host, exchange.port) }
        self.queue.async { exchange.connect(addresses) }
      }
    }
  }

  private static func bytes(of request: HTTPTransport.Request, _ host: String) -> [UInt8] {
    let components = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
    let path = components?.percentEncodedPath ?? ""
    let query = components?.percentEncodedQuery.map { "?" + $0 } ?? ""
    let address = host.contains(":") ? "[\(host)]" : host
    var head = "\(request.method) \(path.isEmpty ? "/" : path)\(query) HTTP/1.1\r\n"
    head += "Host: \(address)\(request.url.port.map { ":\($0)" } ?? "")\r\nConnection: close\r\nAccept: */*\r\n"
    // A line end in a token must not start another header.
    for (name, value) in request.headers {
      head += "\(name): " + String(value.unicodeScalars.map { $0.value < 32 ? " " : Character($0) }) + "\r\n"
    }
    if let body = request.body { head += "Content-Length: \(body.count)\r\n" }
    return Array((head + "\r\n").utf8) + (request.body ?? [])
  }
}

/// A request and its response on a separate connection.
///
/// `@unchecked Sendable`: all variables are used only on `queue`.
private final class Exchange: @unchecked Sendable {
  let host: String
  let port: Int
  /// Called once after the end of an exchange that was started.
  var whenFinished: () -> Void = {}

  private let bytes: [UInt8]
  private let queue: DispatchQueue
  private var onEnd: ((Result<HTTPTransport.Response, HTTPError>) -> Void)?
  /// The addresses that were not tried yet.
  private var addresses: ArraySlice<SocketAddress> = []
  private var socket: TCPSocket?
  private var parser = HTTPResponseParser()
  private var hasSent = false

  init(
    _ bytes: [UInt8], _ host: String, _ port: Int, on queue: DispatchQueue,
    onEnd: @escaping (Result<HTTPTransport.Response, HTTPError>) -> Void
  ) {
    self.bytes = bytes
    self.host = host
    self.port = port
    self.queue = queue
    self.onEnd = onEnd
  }

  var isFinished: Bool { onEnd == nil }

  func finish(_ result: Result<HTTPTransport.Response, HTTPError>) {
    guard let onEnd else { return }
    self.onEnd = nil
    socket?.close()
    socket = nil
    onEnd(result)
    whenFinished()
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

  /// Tries the next address, because a server may not listen on all addresses of its name.
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
      .failure(HTTPError(.transport(mayHaveReachedServer: hasSent), message: "\(host):\(port): \(reason)")))
  }
}
