import Foundation
import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import Loopback
import LoopbackTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Failures of a libcurl client", .timeLimit(.minutes(5))) struct FailureTests {
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

  @Test(
    "a request that was sent on a reused connection may have reached the server, even if a second attempt is refused")
  func resent() async throws {
    let server = try ScriptedServer(.replyOnce("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\negg"))
    _ = try await client.dataFuture(for: request(server)).get()
    server.stop()
    let error = try await error(of: request(server), by: client)
    #expect(error.kind == .cannotConnect && error.mayHaveReachedServer, "\(error)")
  }

  @Test("a proxy that accepts no connections, or refuses to connect, is named with its status and without its password")
  func proxy() async throws {
    await #expect(processExitsWith: .success) {
      for status in ["403 Forbidden", "407 Authenticate"] {
        let proxy = try ScriptedServer(
          .reply(response(status, ["Proxy-Authenticate: Basic realm=\"x\""], body: "<html>no</html>")))
        setenv("https_proxy", "http://ann:secret@127.0.0.1:\(proxy.port)", 1)
        let url = try #require(URL(string: "https://birds.example/"))
        let error = try await error(of: URLRequest(url: url), by: .curl())
        #expect(error.kind == .cannotConnect && !error.mayHaveReachedServer && error.proxy == "127.0.0.1:\(proxy.port)")
        #expect(
          error.description
            == "Cannot GET https://birds.example/: the proxy 127.0.0.1:\(proxy.port) refused the connection "
            + "with status \(status.prefix(3)). Check http_proxy and https_proxy.")
      }
      for action in [ScriptedServer.Action.close, .reply("HTTP/1.1 200 OK\r\n\r\n")] {
        let proxy = try ScriptedServer(action)
        setenv("https_proxy", "127.0.0.1:\(proxy.port)", 1)
        let url = try #require(URL(string: "https://birds.example/"))
        let error = try await error(of: URLRequest(url: url), by: .curl())
        #expect(error.kind == .connectionLost && !error.mayHaveReachedServer, "\(error)")
      }
      setenv("http_proxy", "http://ann:secret@127.0.0.1:9", 1)
      let url = try #require(URL(string: "http://birds.example/"))
      let error = try await error(of: URLRequest(url: url), by: .curl())
      #expect(error.kind == .cannotConnect && !error.mayHaveReachedServer)
      #expect(error.description.contains("the proxy 127.0.0.1:9 accepts no connections. Check http_proxy"), "\(error)")
      setenv("no_proxy", "127.0.0.1", 1)
      let server = try #require(URL(string: "http://127.0.0.1:9/"))
      let direct = try await FuturesNetworkingCurlTests.error(of: URLRequest(url: server), by: .curl())
      #expect(direct.description.contains("nothing accepts connections there"))
    }
  }

  private static let stallCases:
    [(ScriptedServer.Action, String, @Sendable (Duration) -> HTTPLimits, NetworkError.Phase)] = [
      (.hold, "https", { HTTPLimits(connecting: $0) }, .connecting),
      (.hold, "http", { HTTPLimits(firstByte: $0) }, .sending),
      (.hold, "http", { HTTPLimits(whole: $0) }, .sending),
      (.replyAndHold("HTTP/1.1 200 OK\r\nX-Bird"), "http", { HTTPLimits(whole: $0) }, .receiving),
    ]

  @Test(
    "a server that stalls is left when the limit of the phase ends, and the error names the limit",
    arguments: stallCases.indices)
  func stalls(index: Int) async throws {
    let (action, scheme, limits, phase) = Self.stallCases[index]
    let server = try ScriptedServer(action)
    let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(server.port)/birds"))
    var limit = Duration.milliseconds(400)
    // On a busy machine, the limit can end in an earlier phase.
    while true {
      let error = try await error(of: URLRequest(url: url), by: client, within: limits(limit))
      #expect(error.kind == .timedOut && error.limit == limit, "\(error)")
      if error.phase == phase { break }
      limit *= 2
    }
    await server.clientHasClosed()
  }

  @Test("a cancelled request closes its connection and fails with its URL") func cancelled() async throws {
    let server = try ScriptedServer(.hold)
    let future = client.dataFuture(with: try server.url)
    _ = await server.nextHead()
    future.cancel()
    #expect(future.error?.kind == .cancelled)
    #expect(future.error?.url == (try server.url))
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
      let errors = Log<NetworkError?>()
      withoutFreeDescriptors {
        let isComplete = DispatchSemaphore(value: 0)
        client.dataFuture(with: url).onComplete(immediateExecutionContext) { result in
          errors.append(result.error)
          isComplete.signal()
        }
        isComplete.wait()
      }
      let error = errors.all.first ?? nil
      #expect(error?.kind == .tooManyOpenFiles && error?.mayHaveReachedServer == false)
    }
  }

  #if os(Linux)
    @Test("1,000 cancelled requests leave no descriptor and no thread open") func leaks() async throws {
      let server = try await HTTPServer.start(Router { Route(.get, "/") { _ in .text("egg") } })
      let count = openFiles()
      do {
        let client = HTTPClient.curl()
        let futures = (0..<1_000).map { _ in client.dataFuture(with: server.url, within: .none) }
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
