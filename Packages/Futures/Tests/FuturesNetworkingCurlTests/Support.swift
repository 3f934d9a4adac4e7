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

extension HTTPLimits {
  /// For many requests at once, which may take long on a busy machine.
  static let none = HTTPLimits(connecting: nil, whole: nil)
}

func response(_ status: String, _ fields: [String] = [], body: String = "") -> String {
  let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + fields
  return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
}

/// A server that answers each request head with bytes, which need not be text.
struct ByteServer: Sendable {
  let url: URL
  private let server: ScriptedServer

  init(holds: Bool = false, _ answer: @escaping @Sendable (String) -> [UInt8]) throws {
    server = try ScriptedServer(.bytes(holds: holds, answer))
    url = try server.url
  }

  init(holds: Bool = false, _ response: [UInt8]) throws { try self.init(holds: holds) { _ in response } }
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
