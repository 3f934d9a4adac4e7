import Foundation
import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import LoopbackTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Forty lines of JSON, and the same compressed.
private let lines = (1...40).map { "{\"egg\":\($0)}\n" }.joined()
private let gzip = decoded(
  "H4sIAAAAAAACA03QywmAQBRD0b1lWIFJxm8/YhFi7wrCu7O7u0Nyj+d1jYee4f7LValqVXPVUrVWbVV7lSYSRTDCEZCQBCUsgQnNaO42oRnNaEYzmt"
    + "GMZrSgBS3dhWhBC1rQgha0oLVPewEqH8PurwEAAA==")
private let zlib = decoded(
  "eNpN0MsJgEAUQ9G9ZViBScZvP2IRYu8Kwruzu7tDco/ndY2HnuH+y1WpalVz1VK1Vm1Ve5UmEkUwwhGQkAQlLIEJzWjuNqEZzWhGM5rRjGa0oAUt3YVo"
    + "QQta0IIWtKC1T3sB6UZ6PQ==")
private let rawDeflate = decoded(
  "TdDLCYBAFEPRvWVYgUnGbz9iEWLvCsK7s7u7Q3KP53WNh57h/stVqWpVc9VStVZtVXuVJhJFMMIRkJAEJSyBCc1o7jahGc1oRjOa0YxmtKAFLd2FaEEL"
    + "WtCCFrSgtU97AQ==")

private func decoded(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }

@Suite("A response of a libcurl client is complete, or an error", .timeLimit(.minutes(5))) struct CompleteResponseTests
{
  private let client = HTTPClient.curl()

  private func body(of server: ByteServer, _ change: (inout URLRequest) -> Void = { _ in }) async throws -> String {
    var request = URLRequest(url: server.url)
    change(&request)
    return try await text(client.dataFuture(for: request).get().0)
  }

  private static let codings = [
    ("gzip", gzip), ("x-gzip", gzip), ("GZIP", gzip), ("deflate", zlib), ("deflate", rawDeflate),
  ]

  @Test("each coding is decoded, with a length and in chunks", arguments: codings.indices, [false, true])
  func whole(index: Int, isChunked: Bool) async throws {
    let (coding, content) = Self.codings[index]
    let server = try ByteServer(bytes(["Content-Encoding: \(coding)"], body: content, isChunked: isChunked))
    #expect(try await body(of: server) == lines)
  }

  @Test(
    "compressed data that ends too early is an error, although the HTTP message is complete",
    arguments: codings.indices, [false, true])
  func truncated(index: Int, isChunked: Bool) async throws {
    let (coding, content) = Self.codings[index]
    for count in [1, 5, content.count / 2, content.count * 2 / 3, content.count - 1] {
      let part = Array(content.prefix(count))
      let server = try ByteServer(bytes(["Content-Encoding: \(coding)"], body: part, isChunked: isChunked))
      let error = try await error(of: URLRequest(url: server.url), by: client)
      #expect(error.kind == .connectionLost && error.phase == .receiving, "\(count): \(error)")
      #expect(error.description.contains("ended before it was complete (its compressed data is cut). Try again."))
    }
  }

  @Test("a stream of JSON lines that is cut is an error after its first lines", arguments: [false, true])
  func streamed(isCompressed: Bool) async throws {
    let whole = bytes(body: Array(lines.utf8), isChunked: true)
    let cut = bytes(["Content-Encoding: gzip"], body: Array(gzip.prefix(gzip.count * 2 / 3)), isChunked: true)
    let server = try ByteServer(isCompressed ? cut : Array(whole.prefix(whole.count * 2 / 3)))
    let (received, record) = AsyncStream<Data>.makeStream()
    let end = await client.stream(URLRequest(url: server.url), HTTPLimits()) { record.yield($0) }.get() as Result
    record.finish()
    #expect(end.error?.kind == .connectionLost)
    var start = ""
    for await part in received { start += text(part) }
    #expect(!start.isEmpty && lines.hasPrefix(start) && start != lines)
  }

  @Test("several gzip members, zero bytes after the data, and an empty body are accepted")
  func members() async throws {
    let zeros = [UInt8](repeating: 0, count: 512)
    for (content, expected) in [
      (gzip + gzip, lines + lines), (gzip + zeros, lines), (gzip + gzip + zeros, lines + lines),
    ] {
      for isChunked in [false, true] {
        let server = try ByteServer(bytes(["Content-Encoding: gzip"], body: content, isChunked: isChunked))
        #expect(try await body(of: server) == expected)
      }
    }
    let server = try ByteServer(bytes(["Content-Encoding: deflate"], body: zlib + zeros))
    #expect(try await body(of: server) == lines)
    let empty = try ByteServer(bytes(["Content-Encoding: gzip"], body: []))
    #expect(try await body(of: empty).isEmpty)
  }

  @Test("other bytes after the data are an error") func garbage() async throws {
    for (coding, content) in [("gzip", gzip), ("deflate", zlib)] {
      let server = try ByteServer(bytes(["Content-Encoding: \(coding)"], body: content + Array("egg".utf8)))
      let error = try await error(of: URLRequest(url: server.url), by: client)
      #expect(error.kind == .notHTTP || error.kind == .connectionLost, "\(error)")
    }
  }

  @Test(
    "a body with an unknown coding is passed as it came, with its field",
    arguments: ["utf-8", "aws-chunked", "br", "zstd", "aws-chunked, gzip"])
  func unknown(coding: String) async throws {
    let server = try ByteServer(bytes(["Content-Encoding: \(coding)"], body: gzip))
    let (data, response) = try await client.dataFuture(with: server.url).get()
    #expect(Array(data) == gzip && response.value(forHTTPHeaderField: "Content-Encoding") == coding)
  }

  @Test("a request with its own Accept-Encoding receives the body as it came", arguments: ["identity", "gzip"])
  func identity(coding: String) async throws {
    let server = try ByteServer(bytes(["Content-Encoding: gzip"], body: gzip))
    var request = URLRequest(url: server.url)
    request.setValue(coding, forHTTPHeaderField: "accept-encoding")
    #expect(try await Array(client.dataFuture(for: request).get().0) == gzip)
  }

  // MARK: Header fields

  @Test("a folded line continues the value of its field with a space, and is an error where it is ambiguous")
  func folded() async throws {
    let head = "HTTP/1.1 200 OK\r\nX-Fold: one\r\n  two\r\nX-Date: one;\r\n\tdate=12:30\r\nContent-Length: 3\r\n\r\negg"
    let server = try ScriptedServer(.reply(head))
    let response = try await client.dataFuture(with: server.url).get().1
    #expect(response.value(forHTTPHeaderField: "X-Fold") == "one two")
    #expect(response.value(forHTTPHeaderField: "X-Date") == "one; date=12:30")
    #expect(response.allHeaderFields.count == 3)
    for head in [
      " X-Fold: one", "Content-Length: 3\r\n 0", "Transfer-Encoding:\r\n chunked", "Transfer-Encoding: gzip",
    ] {
      let server = try ScriptedServer(.reply("HTTP/1.1 200 OK\r\n\(head)\r\n\r\negg"))
      #expect(try await error(of: request(server), by: client).kind == .notHTTP)
    }
  }

  @Test("bytes of Latin-1 in a field are kept, and UTF-8 is decoded") func latin1() async throws {
    var head = Array("HTTP/1.1 200 OK\r\nX-Bird: M".utf8) + [0xF6] + Array("we\r\nX-Other: Möwe\r\n".utf8)
    head += Array("Content-Length: 3\r\n\r\negg".utf8)
    let server = try ByteServer(head)
    let response = try await client.dataFuture(with: server.url).get().1
    #expect(response.value(forHTTPHeaderField: "X-Bird") == "Möwe")
    #expect(response.value(forHTTPHeaderField: "X-Other") == "Möwe")
  }

  // MARK: Invalid responses

  @Test("a response that ends at any byte is an error, never a crash or a wrong body") func truncated() async throws {
    let whole = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX-Bird: puffin\r\n\r\negg"
    for count in 1..<whole.utf8.count {
      let server = try ScriptedServer(.reply(String(decoding: whole.utf8.prefix(count), as: UTF8.self)))
      let error = try await error(of: request(server), by: client)
      #expect([.connectionLost, .notHTTP].contains(error.kind) && error.mayHaveReachedServer, "\(count): \(error)")
    }
  }

  @Test(
    "an invalid response is an error",
    arguments: [
      "hello\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 20\r\n\r\n",
      "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nhello", "HTTP/1.1 200 OK\r\nContent-Length: +3\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
    ]) func invalid(answer: String) async throws
  {
    let server = try ScriptedServer(.reply(answer))
    let error = try await error(of: request(server), by: client)
    #expect([.notHTTP, .connectionLost].contains(error.kind) && error.mayHaveReachedServer, "\(error)")
  }

  @Test("bytes after the declared length are ignored") func tooMuch() async throws {
    let server = try ScriptedServer(.reply("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\negg and more"))
    #expect(try await text(client.dataFuture(for: request(server)).get().0) == "egg")
  }

  @Test("a header of more than 64 KiB is too large") func endlessHeader() async throws {
    let lines = String(repeating: "X-Bird: \(String(repeating: "a", count: 1_000))\r\n", count: 100)
    let server = try ScriptedServer(.reply("HTTP/1.1 200 OK\r\n\(lines)"))
    let error = try await error(of: request(server), by: client)
    #expect(error.kind == .tooLarge && error.byteLimit == 64 << 10)
    #expect(error.description.contains("the response's header is larger than 65536 bytes. Correct the server's"))
  }

  @Test("a body beyond the limit is too large, whether its length is declared, unknown or compressed")
  func endlessBody() async throws {
    let long = String(repeating: "a", count: 2_000)
    let answers = [
      "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n\(long)",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n\(long)\r\n0\r\n\r\n",
    ]
    for answer in answers {
      let server = try ScriptedServer(.replyAndHold(answer))
      let error = try await error(of: request(server), by: client, within: HTTPLimits(bodyBytes: 1_999))
      #expect(error.kind == .tooLarge && error.byteLimit == 1_999 && error.phase == .receiving, "\(error)")
      await server.clientHasClosed()
    }
    // Ten thousand members of 431 bytes each.
    let server = try ByteServer(
      bytes(["Content-Encoding: gzip"], body: Array(repeatElement(gzip, count: 10_000).joined())))
    let error = try await error(of: URLRequest(url: server.url), by: client, within: HTTPLimits(bodyBytes: 3 << 20))
    #expect(error.kind == .tooLarge && error.byteLimit == 3 << 20)
  }
}
