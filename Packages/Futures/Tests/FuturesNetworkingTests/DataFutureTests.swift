import Foundation
import Futures
import FuturesNetworking
import LoopbackTesting
import ParallelTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("URL requests as futures")
struct DataFutureTests {
  private let session = URLSession(configuration: .withoutCache)

  @Test("a data future has the body and the response for every status code")
  func response() async throws {
    for (status, reason) in [(200, "OK"), (404, "Not Found"), (500, "Internal Server Error")] {
      let server = try ScriptedServer(
        .reply("HTTP/1.1 \(status) \(reason)\r\nContent-Length: 6\r\nConnection: close\r\n\r\npuffin"))
      let (data, response) = try await session.dataFuture(with: server.url).get()
      #expect(String(decoding: data, as: UTF8.self) == "puffin")
      #expect(response.statusCode == status)
    }
  }

  @Test("a data future sends the method and the header fields of its request")
  func request() async throws {
    let server = try ScriptedServer(.reply("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"))
    var request = URLRequest(url: try server.url)
    request.httpMethod = "DELETE"
    request.setValue("robin", forHTTPHeaderField: "X-Bird")
    _ = try await session.dataFuture(for: request).get()
    let head = await server.nextHead()
    #expect(head.hasPrefix("DELETE /birds HTTP/1.1"))
    #expect(head.contains("robin"))
  }

  @Test("a refused connection fails with a message that suggests to start the server")
  func refused() async throws {
    let server = try ScriptedServer(.close)
    let url = try server.url
    server.stop()
    let error = await #expect(throws: NetworkError.self) { try await session.dataFuture(with: url).get() }
    #expect(error?.kind == .cannotConnect)
    #expect(
      error?.description.contains("Cannot GET \(url): nothing accepts connections there. Start the server") == true)
  }

  @Test("a connection that closes before or during the response fails as lost")
  func connectionLost() async throws {
    for action in [ScriptedServer.Action.close, .reply("HTTP/1.1 200 OK\r\nContent-Length: 600\r\n\r\npuff")] {
      let server = try ScriptedServer(action)
      let error = await #expect(throws: NetworkError.self) { try await session.dataFuture(with: server.url).get() }
      #expect(error?.kind == .connectionLost)
    }
  }

  @Test("a failed TLS handshake fails with secureConnectionFailed")
  func secureConnectionFailed() async throws {
    let server = try ScriptedServer(.reply("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"))
    var parts = try #require(URLComponents(url: server.url, resolvingAgainstBaseURL: false))
    parts.scheme = "https"
    let url = try #require(parts.url)
    let error = await #expect(throws: NetworkError.self) { try await session.dataFuture(with: url).get() }
    #expect(error?.kind == .secureConnectionFailed)
    #expect(error?.description.hasPrefix("Cannot GET \(url): the TLS connection failed (") == true, "\(error as Any)")
  }

  @Test("a request fails when its timeout passes on the given clock, and closes the connection")
  func timedOut() async throws {
    let server = try ScriptedServer(.hold)
    let clock = ManualClock()
    let future = session.dataFuture(with: try server.url, within: .milliseconds(900), on: clock)
    _ = await server.nextHead()
    #expect(try await clock.nextSleep() == .init(offset: .milliseconds(900)))
    clock.advance(by: .milliseconds(899))
    #expect(!future.isCompleted)
    clock.advance(by: .milliseconds(1))
    let error = await #expect(throws: NetworkError.self) { try await future.get() }
    #expect(error?.kind == .timedOut)
    #expect(error?.limit == .milliseconds(900))
    #expect(error?.description.contains("no complete response within 0.9 seconds") == true)
    await server.clientHasClosed()
  }

  @Test("a response before the timeout cancels the timer")
  func inTime() async throws {
    let server = try ScriptedServer(.reply("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
    let clock = ManualClock()
    _ = try await session.dataFuture(with: server.url, within: .seconds(5), on: clock).get()
    #expect(clock.armedCount == 0)
  }

  @Test("invalidating the session cancels a request")
  func invalidated() async throws {
    let server = try ScriptedServer(.hold)
    let session = URLSession(configuration: .withoutCache)
    let future = session.dataFuture(with: try server.url)
    _ = await server.nextHead()
    session.invalidateAndCancel()
    let error = await #expect(throws: NetworkError.self) { try await future.get() }
    #expect(error?.kind == .cancelled)
    await server.clientHasClosed()
  }

  @Test("a request with `until` is cancelled when that future completes, and is not sent if it is already completed")
  func until() async throws {
    let server = try ScriptedServer(.hold)
    let end = Promise<Void, Never>()
    let future = session.dataFuture(with: try server.url, until: end.future)
    _ = await server.nextHead()
    end.success(())
    let error = await #expect(throws: NetworkError.self) { try await future.get() }
    #expect(error?.kind == .cancelled)
    await server.clientHasClosed()
    #expect(session.dataFuture(with: try server.url, until: end.future).error?.kind == .cancelled)
  }

  @Test("cancelling the data future or a derived future cancels the request")
  func cancelled() async throws {
    for isDerived in [false, true] {
      let server = try ScriptedServer(.hold)
      let future = session.dataFuture(with: try server.url)
      let body = future.map(immediateExecutionContext) { data, _ in data }
      _ = await server.nextHead()
      if isDerived { body.cancel() } else { future.cancel() }
      #expect(body.error?.kind == .cancelled)
      #expect(body.error?.description.contains("no URL") == false)
      #expect(body.error?.description.contains("was cancelled. Send it again if you need the response.") == true)
      #expect(future.error?.kind == .cancelled)
      #expect(try future.error?.url == server.url)
      await server.clientHasClosed()
    }
  }

  #if canImport(FoundationNetworking)
    @Test("on Linux, cancelling a request in a session with a cache fails the future but leaves the transfer running")
    func cancelledWithCache() async throws {
      let server = try ScriptedServer(.hold)
      let session = URLSession(configuration: .ephemeral)
      try #require(session.configuration.urlCache != nil)
      let clock = ManualClock()
      let future = session.dataFuture(with: try server.url, within: .seconds(5), on: clock)
      _ = await server.nextHead()
      future.cancel()
      #expect(future.error?.kind == .cancelled)
      let transfers: [URLSessionTask] = await withCheckedContinuation { continuation in
        session.getAllTasks { continuation.resume(returning: $0) }
      }
      #expect(transfers.map { $0.state } == [URLSessionTask.State.running])
      #expect(transfers.first?.originalRequest?.timeoutInterval == 605)
    }
  #endif

  @Test("finished requests are released although their `until` future is pending")
  func manyUntil() async throws {
    let end = Promise<Void, Never>()
    let server = try ScriptedServer(.close)
    weak var last: Future<(Data, HTTPURLResponse), NetworkError>?
    for _ in 0..<3 {
      let future = session.dataFuture(with: try server.url, until: end.future)
      last = future
      _ = try? await future.get()
    }
    while last != nil { await Task.yield() }
    #expect(!end.future.isCompleted)
  }

  @Test("a request without a URL fails with badURL")
  func noURL() throws {
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1")))
    request.url = nil
    #expect(session.dataFuture(for: request, within: .seconds(1)).error?.kind == .badURL)
  }

  @Test(
    "a method or a header field with a line break is refused, and the error escapes it",
    arguments: [("GET / HTTP/1.1\r\nX: ", "egg"), ("GET", "egg\r\nY: 1"), ("GE\u{7F}T", "egg")])
  func lineBreaks(method: String, value: String) throws {
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:9/birds")))
    request.httpMethod = method
    request.allHTTPHeaderFields = ["X-Bird": value]
    guard request.httpMethod == method, request.allHTTPHeaderFields?["X-Bird"] == value else { return }
    for error in [
      session.dataFuture(for: request).error, HTTPClient.urlSession(session).dataFuture(for: request).error,
    ] {
      #expect(error?.kind == .invalidRequest)
      let text = try #require(error?.description)
      #expect(text.contains("the method or a header field contains a line break"), "\(text)")
      #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "\(text)")
    }
  }

  @Test("a response that is not HTTP fails with notHTTP")
  func notHTTP() async throws {
    let server = try ScriptedServer(.reply("SSH-2.0-OpenSSH_9.2\r\n"))
    let url = try server.url
    let error = await #expect(throws: NetworkError.self) { try await session.dataFuture(with: url).get() }
    #expect(error?.kind == .notHTTP && error?.description.contains("does not speak HTTP") == true, "\(error as Any)")
  }

  @Test("error messages do not contain the password of a URL")
  func credentials() async throws {
    let url = try #require(URL(string: "http://ayaka:tulp@127.0.0.1:9/birds"))
    let error = await #expect(throws: NetworkError.self) { try await session.dataFuture(with: url).get() }
    #expect(
      error?.description.hasPrefix("Cannot GET http://127.0.0.1:9/birds: nothing accepts") == true, "\(error as Any)")
  }

  @Test("cancelling the task that waits for a response cancels the request")
  func cancelledWaiter() async throws {
    let server = try ScriptedServer(.hold)
    let request = URLRequest(url: try server.url)
    let waiting = Task { [session] in
      await #expect(throws: NetworkError.self) { try await session.response(to: request) }
    }
    _ = await server.nextHead()
    waiting.cancel()
    let error = await waiting.value
    #expect(error?.kind == .cancelled)
    await server.clientHasClosed()
  }

  @Test("a task that was cancelled before response(to:) sends no request")
  func cancelledBefore() async throws {
    let server = try ScriptedServer(.hold)
    let request = URLRequest(url: try server.url)
    let (gate, open) = AsyncStream<Void>.makeStream()
    let waiting = Task { [session] in
      for await _ in gate { break }
      return await #expect(throws: NetworkError.self) { try await session.response(to: request) }
    }
    waiting.cancel()
    open.yield()
    #expect(await waiting.value?.kind == .cancelled)
  }

  @Test("a URL that cannot be loaded fails with an error", arguments: ["", "nonsense", "ftp:", "http://"])
  func badURL(text: String) async throws {
    guard let url = URL(string: text) else { return }
    let error = await #expect(throws: NetworkError.self) { try await session.dataFuture(with: url).get() }
    #expect(
      error.map { [.badURL, .cannotFindHost, .cannotConnect, .other].contains($0.kind) } == true, "\(error as Any)")
  }
}

extension URLSessionConfiguration {
  /// On Linux, cancelling a request ends its transfer only in a session without a cache.
  fileprivate static var withoutCache: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    return configuration
  }
}
