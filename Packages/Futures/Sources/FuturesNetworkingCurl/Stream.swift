internal import CCurl
internal import Foundation
internal import FuturesNetworking
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// `@unchecked Sendable`: after its creation, only the client's thread uses it, except for `isClosed`, which is atomic.
final class CurlStream: @unchecked Sendable {
  private static let outgoingLimit = 64 << 10

  private let address: StreamAddress
  private var onEvent: (@Sendable (StreamClient.Event) -> Void)?
  /// `nil` before the connection is opened, and after its end.
  var handle: CurlHandle?
  private var isConnected = false
  private var outgoing: [UInt8] = []
  /// The bytes that are being sent, in memory that does not move: OpenSSL repeats an interrupted write from the same place.
  private let chunkMemory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16 << 10)
  private var chunk: Slice<UnsafeMutableBufferPointer<UInt8>>
  private let isClosed = Atomic(false)
  /// Whether bytes may be waiting that no poll reports, because OpenSSL has read them.
  private(set) var hasUnreadBytes = false

  init(_ address: StreamAddress, _ onEvent: @escaping @Sendable (StreamClient.Event) -> Void) {
    (self.address, self.onEvent) = (address, onEvent)
    chunkMemory.initialize(repeating: 0)
    chunk = chunkMemory[..<0]
  }

  deinit { chunkMemory.deallocate() }

  var isEnded: Bool { onEvent == nil }

  func begin(with handle: CurlHandle, _ configuration: CurlConfiguration) {
    self.handle = handle
    let easy = handle.easy
    curl_set_long(easy, CURLOPT_CONNECT_ONLY, 1)
    curl_set_long(easy, CURLOPT_HTTPPROXYTUNNEL, 1)
    // The bytes are not HTTP.
    curl_set_long(easy, CURLOPT_SSL_ENABLE_ALPN, 0)
    // Callers limit the time themselves.
    configuration.setConnection(of: easy, to: URL(string: url), within: nil)
  }

  func connect(_ code: CURLcode) {
    guard code == CURLE_OK else { return end(failure(code)) }
    isConnected = true
    onEvent?(.connected)
    write()
    // With TLS, bytes may have been read already.
    read()
  }

  func send(_ bytes: [UInt8]) {
    guard !isEnded else { return }
    outgoing += bytes
    write()
    if outgoing.count > Self.outgoingLimit {
      end(error(.other, "the server does not read: more than \(Self.outgoingLimit) bytes are waiting to be sent"))
    }
  }

  /// `nil` before the connection is open.
  var wait: curl_waitfd? {
    guard isConnected, !isEnded, let easy = handle?.easy else { return nil }
    var descriptor = curl_socket_t(-1)
    guard curl_get_socket(easy, CURLINFO_ACTIVESOCKET, &descriptor) == CURLE_OK, descriptor >= 0 else { return nil }
    let events = CURL_WAIT_POLLIN | (outgoing.isEmpty && chunk.isEmpty ? 0 : CURL_WAIT_POLLOUT)
    return curl_waitfd(fd: descriptor, events: Int16(events), revents: 0)
  }

  func move() {
    guard isConnected else { return }
    write()
    read()
  }

  /// Prevents further events, on any thread.
  func silence() { isClosed.store(true, ordering: .releasing) }

  func close() { onEvent = nil }

  private func write() {
    while isConnected, !isEnded {
      if chunk.isEmpty {
        guard !outgoing.isEmpty else { return }
        let count = min(outgoing.count, chunkMemory.count)
        _ = chunkMemory.update(fromContentsOf: outgoing[..<count])
        outgoing.removeFirst(count)
        chunk = chunkMemory[..<count]
      }
      var count = 0
      let bytes = UnsafeBufferPointer(rebasing: chunk)
      let code = curl_easy_send(handle?.easy, bytes.baseAddress, bytes.count, &count)
      if code == CURLE_OK, count > 0 {
        chunk = chunk.dropFirst(count)
      } else if code == CURLE_AGAIN || code == CURLE_OK {
        return
      } else {
        return end(failure(code))
      }
    }
  }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    hasUnreadBytes = false
    // A fast sender must not delay the other transfers.
    for _ in 0..<16 where !isEnded && !isClosed.load(ordering: .acquiring) {
      var count = 0
      let code = bytes.withUnsafeMutableBytes { curl_easy_recv(handle?.easy, $0.baseAddress, $0.count, &count) }
      if code == CURLE_OK, count > 0 {
        onEvent?(.received(Array(bytes.prefix(count))))
      } else if code == CURLE_OK {
        end(error(.connectionLost, "the server closed the connection"))
      } else if code == CURLE_AGAIN {
        return
      } else {
        end(failure(code))
      }
    }
    hasUnreadBytes = !isEnded
  }

  func end(_ error: NetworkError) {
    let handler = onEvent
    onEvent = nil
    if !isClosed.load(ordering: .acquiring) { handler?(.ended(error)) }
  }

  // MARK: Errors

  var invalidAddress: NetworkError? {
    guard !(1...65_535).contains(address.port) else { return nil }
    return error(.badURL, "port \(address.port) is not from 1 to 65535")
  }

  private var url: String {
    let host = address.host.contains(":") ? "[\(address.host)]" : address.host
    return "\(address.usesTLS ? "https" : "http")://\(host):\(address.port)"
  }

  private var request: URLRequest? { URL(string: url).map { URLRequest(url: $0) } }

  private var phase: NetworkError.Phase { isConnected ? .sending : .connecting }

  func error(_ kind: NetworkError.Kind, _ reason: String) -> NetworkError {
    NetworkError(kind, request: request, phase: phase, reason: reason)
  }

  private func failure(_ code: CURLcode) -> NetworkError {
    handle?.error(code, request, phase) ?? error(.other, "libcurl error \(code.rawValue)")
  }
}
