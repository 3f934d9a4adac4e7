import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import Loopback
import OrderTaking
import OrderTakingClients
import Testing

@Suite("A push client on a real socket", .timeLimit(.minutes(5))) struct PushChannelTests {
  final class StandStill: Sendable {
    let started: AsyncStream<Duration>
    private let callbacks = Locked<[Duration: @Sendable () -> Void]>([:])
    private let start: AsyncStream<Duration>.Continuation

    init() { (started, start) = AsyncStream.makeStream(of: Duration.self) }

    var timers: Timers {
      Timers(
        schedule: { duration, callback in
          self.callbacks.withLock { $0[duration] = callback }
          self.start.yield(duration)
          return {}
        }, now: { Moment(sinceEpoch: .zero, sinceBoot: .zero) })
    }

    func pass(_ duration: Duration) async {
      for await started in started where started == duration { break }
      callbacks.withLock { $0.removeValue(forKey: duration) }?()
    }
  }

  static func welcome(_ last: Int = 0) -> String { #"{"type":"welcome","stream":"s","after":0,"cursor":\#(last)}"# }

  func server(_ onLine: @escaping @Sendable (LineConnection, String) -> Void) async throws -> (
    LineServer, AsyncStream<Int>
  ) {
    let (closed, close) = AsyncStream.makeStream(of: Int.self)
    let server = try await LineServer.start(
      LineHandlers(onLine: { onLine($0, $1.text) }, onClose: { connection, _ in close.yield(connection.id) }))
    return (server, closed)
  }

  func live(_ port: Int, token: TokenSource? = nil, timers: Timers = .dispatch(), observer: Observer? = nil)
    -> PushClient
  {
    .live(
      host: "127.0.0.1", port: port, security: .plaintext, over: .curl(), token: token, timers: timers,
      observer: observer ?? Observer { _ in }, random: { 0 })
  }

  /// The changes of connections that an observer receives.
  func changes() -> (AsyncStream<ObservedConnection.Change>, Observer) {
    let (changes, change) = AsyncStream.makeStream(of: ObservedConnection.Change.self)
    return (changes, Observer { if case .connection(let connection) = $0 { change.yield(connection.change) } })
  }

  @Test("a connection without an answer or half open is closed, and the next one continues after the last push")
  func halfOpen() async throws {
    let lines = Locked<[String]>([])
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let (server, _) = try await server { connection, line in
      lines.withLock { $0.append(line) }
      arrival.yield()
      guard line.contains("subscribe"), (2...3).contains(connection.id) else { return }
      // Both lines arrive together, so the silence timer starts once.
      let number = connection.id - 1
      connection.send(
        Self.welcome(number - 1) + "\n"
          + #"{"type":"push","cursor":\#(number),"order":"\#(6 + number)","result":"accepted"}"#)
    }
    let time = StandStill()
    let (pushes, push) = AsyncStream.makeStream(of: PushedResult.self)
    let client = live(server.port, timers: time.timers)
    let end = client.subscribe { push.yield($0) }
    for await _ in arrivals { break }
    await time.pass(.seconds(10))
    await time.pass(.zero)  // the minimum back-off
    var iterator = pushes.makeAsyncIterator()
    #expect(await iterator.next()?.order == "7")
    await time.pass(.seconds(40))
    await time.pass(.zero)
    #expect(await iterator.next() == PushedResult(order: "8", result: .accepted))
    #expect(
      lines.withLock { $0 } == [
        #"{"after":0,"token":"","type":"subscribe"}"#, #"{"after":0,"token":"","type":"subscribe"}"#,
        #"{"after":1,"stream":"s","token":"","type":"subscribe"}"#,
      ])
    end()
    await server.stop(grace: .zero)
  }

  @Test("the end of a subscription closes the connection") func hangsUp() async throws {
    let (server, closed) = try await server { connection, line in
      if line.contains("subscribe") { connection.send(Self.welcome()) }
    }
    let (changes, observer) = changes()
    let end = live(server.port, observer: observer).subscribe { _ in }
    for await change in changes where change == .opened { break }
    end()
    end()
    for await connection in closed {
      #expect(connection == 1)
      break
    }
    await server.stop(grace: .zero)
  }

  @Test("the client requests a fresh token if its token is refused") func refused() async throws {
    let (server, _) = try await server { connection, line in
      guard line.contains("subscribe") else { return }
      connection.send(line.contains("fresh") ? Self.welcome() : #"{"type":"goodbye","reason":"unauthorized"}"#)
    }
    let (changes, observer) = changes()
    let token = TokenSource("stale") { Future(value: "fresh") }
    let end = live(server.port, token: token, observer: observer).subscribe { _ in }
    var seen: [ObservedConnection.Change] = []
    for await change in changes {
      seen.append(change)
      if change == .opened { break }
    }
    #expect(seen == [.lost(reason: "the server refused the token"), .opened])
    #expect(token.current == "fresh")
    end()
    await server.stop(grace: .zero)
  }

  @Test("the end of a subscription cancels its refresh of the token") func refreshWithoutEnd() async throws {
    let (server, _) = try await server { connection, line in
      if line.contains("subscribe") { connection.send(#"{"type":"goodbye","reason":"unauthorized"}"#) }
    }
    let (refreshes, refresh) = AsyncStream.makeStream(of: Future<String, HTTPError>.self)
    let token = TokenSource("stale") {
      let future = Promise<String, HTTPError>().future
      refresh.yield(future)
      return future
    }
    let end = live(server.port, token: token).subscribe { _ in }
    var iterator = refreshes.makeAsyncIterator()
    let future = try #require(await iterator.next())
    end()
    await #expect(throws: HTTPError.cancellation) { try await future.get() }
    await server.stop(grace: .zero)
  }

  @Test(
    "the client reports why it cannot connect, and retries",
    arguments: [
      ("127.0.0.1", 0, "port 0 is not"), ("127.0.0.1", 70_000, "port 70000 is not"),
      // This name is too long, so no name server is asked.
      (String(repeating: "x", count: 64), 80, "Could not resolve"),
    ])
  func unreachable(host: String, port: Int, reason: String) async throws {
    let (changes, observer) = changes()
    let end = PushClient.live(host: host, port: port, over: .curl(), observer: observer, random: { 0 }).subscribe { _ in
    }
    var losses = 0
    for await case .lost(let why) in changes {
      #expect(why.contains(reason), "\(why)")
      losses += 1
      if losses == 3 { break }
    }
    end()
  }

  @Test("against a server without TLS, the loss says so") func plainServer() async throws {
    let (server, _) = try await server { connection, line in
      connection.send(line.contains("subscribe") ? Self.welcome() : #"{"type":"goodbye","reason":"malformed"}"#)
    }
    let (changes, observer) = changes()
    let end = PushClient.live(
      host: "127.0.0.1", port: server.port, over: .curl(), observer: observer, random: { 0 }
    ).subscribe { _ in }
    for await change in changes {
      #expect("\(change)".contains("use security: .plaintext if the port has no TLS"), "\(change)")
      break
    }
    end()
    await server.stop(grace: .zero)
  }
}
