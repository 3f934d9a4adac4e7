import Foundation
import Loopback
import LoopbackTesting
import TestSupport

struct RawResponse: Equatable {
  let status: Int
  let headers: HTTPHeaders
  let body: [UInt8]

  var text: String { String(decoding: body, as: UTF8.self) }
}

extension RawClient {
  func exchange(_ request: String) async -> RawResponse? {
    await send(request)
    return await readResponse()
  }

  func readResponse(hasBody: Bool = true) async -> RawResponse? {
    guard let line = await readLine(), line.hasPrefix("HTTP/1.1 "), let status = Int(line.dropFirst(9).prefix(3))
    else { return nil }
    var headers = HTTPHeaders()
    while let line = await readLine(), line != "\r" {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers.append(String(parts[0]), parts[1].trimmingCharacters(in: .whitespacesAndNewlines))
    }
    let length = hasBody ? headers["Content-Length"].flatMap { Int($0) } ?? 0 : 0
    return RawResponse(status: status, headers: headers, body: await read(length))
  }
}

func get(_ path: String, _ headers: String...) -> String {
  "GET \(path) HTTP/1.1\r\nHost: localhost\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n"
}

func put(_ path: String, _ body: String) -> String {
  "PUT \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
}

final class Signal<Value: Sendable>: Sendable {
  private let stream: AsyncStream<Value>
  private let continuation: AsyncStream<Value>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func send(_ value: Value) { continuation.yield(value) }

  @discardableResult
  func next() async -> Value? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next()
  }
}

extension Signal<Void> {
  func send() { send(()) }
}

extension SeededGenerator {
  mutating func pieces(of bytes: [UInt8]) -> [[UInt8]] {
    let cuts = (0..<Int.random(in: 0...12, using: &self)).map { _ in Int.random(in: 0...bytes.count, using: &self) }
    let bounds = [0] + cuts.sorted() + [bytes.count]
    return zip(bounds, bounds.dropFirst()).map { Array(bytes[$0..<$1]) }
  }
}
