import Foundation
import Testing

@testable import OrderTakingClients

@Suite("The parser of responses") struct HTTPResponseParserTests {
  typealias Malformed = HTTPResponseParser.Malformed

  /// Parses a response from pieces of a text, and closes the connection after it.
  func parse(_ text: String, piece: Int = .max) throws(Malformed) -> HTTPTransport.Response {
    var parser = HTTPResponseParser()
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      if let response = try parser.append(Array(rest.prefix(piece))) { return response }
      rest = rest.dropFirst(piece)
    }
    return try parser.end()
  }

  static let good: [(String, Int, String)] = [
    ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", 200, "{}"),
    ("HTTP/1.1 200\r\ncontent-length:2\r\nContent-Length: 2\r\n\r\n{}tail", 200, "{}"),
    ("HTTP/1.0 503 Service Unavailable\n\nlater", 503, "later"),
    ("HTTP/1.1 204 No Content\r\n\r\n", 204, ""), ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", 404, ""),
    ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", 200, "x"),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n1\r\na\r\nA;x=y\r\n0123456789\r\n0\r\nT: x\r\n\r\n", 200,
      "a0123456789"
    ),
    ("HTTP/1.1 200 OK\r\n\r\n", 200, ""),
  ]

  @Test("a response in any pieces is parsed", arguments: good, [1, 2, 3, 7, Int.max])
  func reads(answer: (String, Int, String), piece: Int) throws {
    let response = try parse(answer.0, piece: piece)
    #expect(response.status == answer.1 && String(decoding: response.body, as: UTF8.self) == answer.2)
  }

  @Test("Retry-After of an interim response is ignored") func retryAfter() throws {
    #expect(
      try parse("HTTP/1.1 103 X\r\nRetry-After: 9\r\n\r\nHTTP/1.1 429 X\r\nretry-after:  7 \r\n\r\n").retryAfter == "7")
    #expect(try parse("HTTP/1.1 103 X\r\nRetry-After: 9\r\n\r\nHTTP/1.1 429 X\r\n\r\n").retryAfter == nil)
  }

  @Test(
    "an invalid response, or one with two lengths, is rejected",
    arguments: [
      "", "\r\n", "hello\r\n\r\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 +20 OK\r\n\r\n",
      "HTTP/1.1 999 X\r\n\r\n", "HTTP/1.1 101 X\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\nx",
      "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nx",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nx",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxx\r\n0",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxx\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\nx",
    ])
  func refuses(text: String) {
    #expect(throws: Malformed.self) { try parse(text) }
    #expect(throws: Malformed.self) { try parse(text, piece: 1) }
  }

  @Test("the first line of another protocol is refused before the end of the header") func otherProtocol() {
    #expect(throws: Malformed("the response is not HTTP/1")) {
      var parser = HTTPResponseParser()
      _ = try parser.append(Array("220 ready\r\n".utf8))
    }
  }

  @Test("a response without its last byte is rejected", arguments: good.prefix(7).map(\.0))
  func truncated(text: String) {
    guard !text.hasPrefix("HTTP/1.0"), !text.contains("204"), !text.hasSuffix("tail"), !text.contains("404") else {
      return
    }
    #expect(throws: Malformed.self) { try parse(String(text.dropLast(1))) }
    #expect(throws: Malformed.self) { try parse("HTTP/1.1 200 OK\r\nContent") }
  }

  @Test("a header or a body beyond its limit is rejected") func limits() {
    func refusal(_ begin: String, _ piece: String) -> (reason: String, bytes: Int) {
      var parser = HTTPResponseParser()
      var count = 0
      do throws(Malformed) {
        _ = try parser.append(Array(begin.utf8))
        while count < 100 << 20 {
          _ = try parser.append(Array(piece.utf8))
          count += piece.utf8.count
        }
        return ("", count)
      } catch {
        return (error.reason, count)
      }
    }
    let line = refusal("HTTP/1.1 200 OK\r\nX: ", String(repeating: "x", count: 1_000))
    #expect(line.reason.contains("header is longer") && line.bytes < 66_000)
    #expect(refusal("HTTP/1.1 200 OK\r\n", "X: y\r\n").reason.contains("header is longer"))
    let atOnce = "HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 20_000) + "\r\n"
    #expect(throws: Malformed.self) { try parse(atOnce) }
    let more = refusal("", "HTTP/1.1 100 Continue\r\n\r\n")
    #expect(more.reason.contains("header is longer"), "an endless series of interim responses")
    let body = refusal("HTTP/1.1 200 OK\r\n\r\n", String(repeating: "x", count: 10_000))
    #expect(body.reason.contains("response is longer") && body.bytes < 5 << 20)
    let chunks = refusal(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1;\(String(repeating: "x", count: 100))\r\nx\r\n")
    #expect(chunks.reason.contains("header is longer"))
    let trailer = refusal("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X: y\r\n")
    #expect(trailer.reason.contains("header is longer"))
  }
}
