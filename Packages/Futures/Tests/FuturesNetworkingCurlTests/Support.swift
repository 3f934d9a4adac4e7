import Foundation
import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import LoopbackTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

func request(_ server: ScriptedServer, _ change: (inout URLRequest) -> Void = { _ in }) throws -> URLRequest {
  var request = URLRequest(url: try server.url)
  change(&request)
  return request
}

func error(
  of request: URLRequest, by client: HTTPClient, within limits: HTTPLimits = HTTPLimits(),
  sourceLocation: SourceLocation = #_sourceLocation
) async throws -> NetworkError {
  let result: Result<(Data, HTTPResponseHead), NetworkError> =
    await client.dataFuture(for: request, within: limits).get()
  return try #require(result.error, sourceLocation: sourceLocation)
}

func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

func response(_ status: String, _ fields: [String] = [], body: String = "") -> String {
  let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + fields
  return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
}

/// A server that answers each request head with bytes, which need not be text.
final class ByteServer: Sendable {
  let url: URL
  private let listener: Int32

  /// - Parameters:
  ///   - holds: Whether connections stay open after the response until the client closes them.
  ///   - answer: Returns the response for the first line of a request.
  init(holds: Bool = false, _ answer: @escaping @Sendable (String) -> [UInt8]) throws {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    listener = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 64) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isListening, let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/") else {
      throw POSIXError(.EADDRINUSE)
    }
    self.url = url
    Thread.detachNewThread {
      while true {
        let connection = accept(descriptor, nil, nil)
        if connection < 0 { return _ = close(descriptor) }
        Thread.detachNewThread { Self.serve(connection, holds, answer) }
      }
    }
  }

  convenience init(holds: Bool = false, _ response: [UInt8]) throws { try self.init(holds: holds) { _ in response } }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func serve(_ connection: Int32, _ holds: Bool, _ answer: (String) -> [UInt8]) {
    defer { close(connection) }
    var head = ""
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while !head.contains("\r\n\r\n") {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      head += String(decoding: buffer[..<count], as: UTF8.self)
    }
    var rest = answer(String(head.prefix { !$0.isNewline }))[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
    if holds { while recv(connection, &buffer, buffer.count, 0) > 0 {} }
  }
}

/// Returns a response with a body, in one or many chunks or with a declared length.
func bytes(_ fields: [String] = [], body: [UInt8], isChunked: Bool = false) -> [UInt8] {
  let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(body.count)"
  let head = Array((["HTTP/1.1 200 OK", framing] + fields).joined(separator: "\r\n").utf8) + Array("\r\n\r\n".utf8)
  guard isChunked else { return head + body }
  let chunks = stride(from: 0, to: body.count, by: 7).flatMap { start -> [UInt8] in
    let chunk = body[start..<min(start + 7, body.count)]
    return Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
  }
  return head + chunks + Array("0\r\n\r\n".utf8)
}
