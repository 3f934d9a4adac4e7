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

func zeros(_ count: Int) -> [UInt8] {
  let (process, input, output) = (Process(), Pipe(), Pipe())
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["gzip", "-c"]
  (process.standardInput, process.standardOutput) = (input, output)
  guard (try? process.run()) != nil else { return [] }
  Thread.detachNewThread {
    input.fileHandleForWriting.write(Data(count: count))
    try? input.fileHandleForWriting.close()
  }
  defer { process.waitUntilExit() }
  return Array(output.fileHandleForReading.readDataToEndOfFile())
}
