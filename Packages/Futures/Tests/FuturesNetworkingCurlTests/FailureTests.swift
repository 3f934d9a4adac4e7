import TestSupport
import Foundation
import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import Loopback
import LoopbackTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Failures of a libcurl client") struct FailureTests {
  private let client = HTTPClient.curl()

  @Test("a refused connection has not reached the server") func refused() async throws {
    let server = try ScriptedServer(.close)
    server.stop()
    let error = try await error(of: request(server), by: client)
    #expect(error.kind == .cannotConnect && !error.mayHaveReachedServer)
    #expect(
      try error.description == "Cannot GET \(server.url): nothing accepts connections there. "
        + "Start the server, or check the host and the port.")
  }

  @Test("a connection that closes without a response may have reached the server, and the port may use TLS")
  func closed() async throws {
    let server = try ScriptedServer(.close)
    let error = try await error(of: request(server), by: client)
    #expect(error.kind == .connectionLost && error.phase == .sending)
    #expect(
      try error.description == "Cannot GET \(server.url): the server closed the connection without a response. "
        + "Try again, or use https:// if the port uses TLS.")
  }

  @Test("a refused proxy is named without its password, instead of the server") func refusedProxy() async {
    await #expect(processExitsWith: .success) {
      setenv("http_proxy", "http://ann:secret@127.0.0.1:9", 1)
      setenv("https_proxy", "127.0.0.1:9", 1)
      for scheme in ["http", "https"] {
        let url = try #require(URL(string: "\(scheme)://birds.example/"))
        let error = try await error(of: URLRequest(url: url), by: .curl())
        #expect(error.kind == .cannotConnect && !error.mayHaveReachedServer)
        #expect(
          error.description == "Cannot GET \(scheme)://birds.example/: the proxy 127.0.0.1:9 accepts no connections. "
            + "Check \(scheme)_proxy.")
      }
      setenv("no_proxy", "127.0.0.1", 1)
      let server = try #require(URL(string: "http://127.0.0.1:9/"))
      let direct = try await error(of: URLRequest(url: server), by: .curl())
      #expect(direct.description.contains("nothing accepts connections there"))
    }
  }

  @Test(
    "a request that was sent on a reused connection may have reached the server, even if a second attempt is refused")
  func resent() async throws {
    let server = try ScriptedServer(.replyOnce("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\negg"))
    _ = try await client.dataFuture(for: request(server)).get()
    server.stop()
    let error = try await error(of: request(server), by: client)
    #expect(error.kind == .cannotConnect && error.mayHaveReachedServer, "\(error)")
  }

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
    guard error.kind == .notHTTP else { return }
    let hasStatus = answer.contains(" 200 ") || answer.contains(" 101 ")
    let next = hasStatus ? "Correct the server's response." : "Check the host and the port."
    #expect(error.description.hasSuffix(next), "\(error)")
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
    #expect(error.description.contains("the response's header is larger than 65536 bytes, a fixed limit. Correct"))
  }

  @Test("a body that cannot be decompressed names its encoding") func encoding() async throws {
    let server = try ScriptedServer(
      .reply("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello"))
    let error = try await error(of: request(server), by: client)
    #expect(error.kind == .notHTTP)
    #expect(error.description.contains("the body does not match its Content-Encoding"), "\(error)")
    #expect(error.description.contains("Correct the server's response."), "\(error)")
    #expect(!error.description.contains("Check the host"), "\(error)")
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
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/") { _ in HTTPResponse(.ok, headers: ["Content-Encoding": "gzip"], body: zeros(50 << 20)) }
      })
    let error = try await error(of: URLRequest(url: server.url), by: client, within: HTTPLimits(bodyBytes: 1 << 20))
    #expect(error.kind == .tooLarge)
    await server.stop()
  }

  /// Long enough for the earlier phases of an exchange on a busy machine.
  private static let short = Duration.milliseconds(400)

  private static let stallCases: [(ScriptedServer.Action, String, HTTPLimits, NetworkError.Phase)] = [
    (.hold, "https", HTTPLimits(connecting: short), .connecting),
    (.hold, "http", HTTPLimits(firstByte: short), .sending),
    (.hold, "http", HTTPLimits(whole: short), .sending),
    (.replyAndHold("HTTP/1.1 200 OK\r\nX-Bird"), "http", HTTPLimits(whole: short), .receiving),
    (.replyAndHold("HTTP/1.1 200 OK\r\n\r\negg"), "http", HTTPLimits(firstByte: .seconds(9), whole: short), .receiving),
  ]

  @Test(
    "a server that stalls is left when the limit of the phase ends, and the error names the limit",
    arguments: stallCases.indices)
  func stalls(index: Int) async throws {
    let (action, scheme, limits, phase) = Self.stallCases[index]
    let server = try ScriptedServer(action)
    let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(server.port)/birds"))
    let error = try await error(of: URLRequest(url: url), by: client, within: limits)
    #expect(error.kind == .timedOut && error.limit == Self.short && error.phase == phase, "\(error)")
    await server.clientHasClosed()
  }

  @Test("a wait for another request counts for the whole limit") func waits() async throws {
    var configuration = CurlConfiguration()
    configuration.maxConcurrentRequests = 1
    let client = HTTPClient.curl(configuration)
    let server = try ScriptedServer(.hold)
    let first = client.dataFuture(with: try server.url)
    _ = await server.nextHead()
    let error = try await error(of: request(server), by: client, within: HTTPLimits(whole: .milliseconds(20)))
    #expect(error.kind == .timedOut && error.phase == .connecting)
    first.cancel()
    await server.clientHasClosed()
  }

  @Test("a cancelled request closes its connection and fails with its URL") func cancelled() async throws {
    let server = try ScriptedServer(.hold)
    let future = client.dataFuture(with: try server.url)
    _ = await server.nextHead()
    future.cancel()
    #expect(future.error?.kind == .cancelled)
    await server.clientHasClosed()
    let end = Promise<Void, Never>()
    let other = client.dataFuture(with: try server.url, until: end.future)
    _ = await server.nextHead()
    end.success(())
    #expect(other.error?.kind == .cancelled)
    #expect(client.dataFuture(with: try server.url, until: end.future).error?.kind == .cancelled)
    await server.clientHasClosed()
  }

  @Test("requests of a released client end, and then its thread ends") func released() async throws {
    let server = try ScriptedServer(.reply(response("200 OK", body: "egg")))
    var client: HTTPClient? = .curl()
    let future = try #require(client).dataFuture(with: try server.url)
    client = nil
    #expect(try await text(future.get().0) == "egg")
  }

  @Test("without a free file descriptor, the error names this cause") func descriptors() async {
    await #expect(processExitsWith: .success) {
      let client = HTTPClient.curl()
      let url = try #require(URL(string: "http://127.0.0.1:9"))
      // The thread opens its descriptors now.
      let first: Result<(Data, HTTPResponseHead), NetworkError> = await client.dataFuture(with: url).get()
      #expect(first.error?.kind == .cannotConnect)
      let second: Result<(Data, HTTPResponseHead), NetworkError> = await withoutFreeDescriptors {
        await client.dataFuture(with: url).get()
      }
      let error = second.error
      #expect(error?.kind == .tooManyOpenFiles && error?.mayHaveReachedServer == false)
    }
  }

  #if os(Linux)
    @Test("1,000 cancelled requests leave no descriptor and no thread open") func leaks() async throws {
      let server = try await HTTPServer.start(Router { Route(.get, "/") { _ in .text("egg") } })
      let count = openFiles()
      do {
        let client = HTTPClient.curl()
        let futures = (0..<1_000).map { _ in client.dataFuture(with: server.url) }
        for (index, future) in futures.enumerated() where index % 3 > 0 { future.cancel() }
        for future in futures {
          let result: Result<(Data, HTTPResponseHead), NetworkError> = await future.get()
          #expect(result.error.map { $0.kind == .cancelled } ?? true)
        }
      }
      await server.stop()
      // The client's thread closes its connections after its release. Other tests run at the same time.
      try await poll(while: openFiles() > count + 40)
    }
  #endif
}

private func openFiles() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
}
