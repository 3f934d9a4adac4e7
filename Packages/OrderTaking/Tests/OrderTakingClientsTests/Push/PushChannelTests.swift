import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import Loopback
import OrderTaking
import OrderTakingClients
import Testing

@Suite("A push client on a real socket", .timeLimit(.minutes(2))) struct PushChannelTests {
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

  func notices() -> (AsyncStream<PushNotice>, @Sendable (PushNotice) -> Void) {
    let (notices, notice) = AsyncStream.makeStream(of: PushNotice.self)
    return (notices, { notice.yield($0) })
  }

  @Test("a half-open connection is closed, and the next one continues after the last push") func halfOpen() async throws
  {
    let lines = Locked<[String]>([])
    let (server, _) = try await server { connection, line in
      lines.withLock { $0.append(line) }
      guard line.contains("subscribe"), connection.id < 3 else { return }
      // Both lines arrive together, so the silence timer starts once.
      let number = connection.id
      connection.send(
        Self.welcome(number - 1) + "\n"
          + #"{"type":"push","cursor":\#(number),"order":"\#(6 + number)","result":"accepted"}"#)
    }
    let time = StandStill()
    let (pushes, push) = AsyncStream.makeStream(of: PushedResult<String>.self)
    let client = PushClient<String>.live(
      at: StreamAddress(host: "127.0.0.1", port: server.port, usesTLS: false), over: .curl(), timers: time.timers,
      random: { 0 })
    let end = client.subscribe { push.yield($0) }
    var iterator = pushes.makeAsyncIterator()
    #expect(await iterator.next()?.order == "7")
    await time.pass(.seconds(40))
    await time.pass(.zero)  // the minimum back-off
    #expect(
      await iterator.next()
        == PushedResult(
          order: "8", result: .accepted, cursor: 2, checkpoint: PushCheckpoint(epoch: "s", cursor: 2)))
    #expect(
      lines.withLock { $0 } == [
        #"{"after":0,"token":"","type":"subscribe"}"#, #"{"after":1,"stream":"s","token":"","type":"subscribe"}"#,
      ])
    end()
    await server.stop(grace: .zero)
  }

  @Test("the client sends heartbeats") func heartbeat() async throws {
    let (heartbeats, heartbeat) = AsyncStream.makeStream(of: Void.self)
    let (server, _) = try await server { connection, line in
      if line.contains("subscribe") { connection.send(Self.welcome()) }
      if line == #"{"type":"heartbeat"}"# { heartbeat.yield() }
    }
    let time = StandStill()
    let end = PushClient<String>.live(
      at: StreamAddress(host: "127.0.0.1", port: server.port, usesTLS: false), over: .curl(), timers: time.timers
    ).subscribe { _ in }
    await time.pass(.seconds(15))
    for await _ in heartbeats { break }
    end()
    await server.stop(grace: .zero)
  }

  @Test("the end of a subscription closes the connection") func hangsUp() async throws {
    let (server, closed) = try await server { connection, line in
      if line.contains("subscribe") { connection.send(Self.welcome()) }
    }
    let (notices, log) = notices()
    let end = PushClient<String>.live(
      at: StreamAddress(host: "127.0.0.1", port: server.port, usesTLS: false), over: .curl(), log: log
    ).subscribe { _ in }
    for await notice in notices where notice == .subscribed(after: 0) { break }
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
    let (notices, log) = notices()
    let token = TokenSource("stale") { Future(value: "fresh") }
    let end = PushClient<String>.live(
      at: StreamAddress(host: "127.0.0.1", port: server.port, usesTLS: false), over: .curl(), token: token, log: log
    ).subscribe { _ in }
    var seen: [PushNotice] = []
    for await notice in notices {
      seen.append(notice)
      if notice == .subscribed(after: 0) { break }
    }
    #expect(seen == [.connecting, .refused, .connecting, .subscribed(after: 0)])
    #expect(token.current == "fresh")
    end()
    await server.stop(grace: .zero)
  }

  @Test("a refresh of the token that does not end in time, or at the end of the subscription, is cancelled")
  func refreshWithoutEnd() async throws {
    let (server, _) = try await server { connection, line in
      if line.contains("subscribe") { connection.send(#"{"type":"goodbye","reason":"unauthorized"}"#) }
    }
    let (refreshes, refresh) = AsyncStream.makeStream(of: Future<String, HTTPError>.self)
    let token = TokenSource("stale") {
      let future = Promise<String, HTTPError>().future
      refresh.yield(future)
      return future
    }
    let time = StandStill()
    let end = PushClient<String>.live(
      at: StreamAddress(host: "127.0.0.1", port: server.port, usesTLS: false), over: .curl(), token: token,
      timers: time.timers, random: { 0 }
    ).subscribe { _ in }
    var iterator = refreshes.makeAsyncIterator()
    let first = try #require(await iterator.next())
    await time.pass(.seconds(10))
    await time.pass(.seconds(10))
    await time.pass(.zero)
    await #expect(throws: HTTPError.cancellation) { try await first.get() }
    let second = try #require(await iterator.next())
    end()
    await #expect(throws: HTTPError.cancellation) { try await second.get() }
    await server.stop(grace: .zero)
  }

  @Test("a refused token that was replaced already is not renewed") func refusedTooLate() async throws {
    let refreshes = Locked(0)
    let token = TokenSource("stale") {
      refreshes.withLock { $0 += 1 }
      return Future(value: "fresh")
    }
    let (server, _) = try await server { connection, line in
      guard line.contains("subscribe") else { return }
      guard !line.contains("fresh") else { return connection.send(Self.welcome()) }
      // Another request has replaced the token already.
      _ = token.renew(insteadOf: "stale")
      connection.send(#"{"type":"goodbye","reason":"unauthorized"}"#)
    }
    let (notices, log) = notices()
    let end = PushClient<String>.live(
      at: StreamAddress(host: "127.0.0.1", port: server.port, usesTLS: false), over: .curl(), token: token, log: log
    ).subscribe { _ in }
    for await notice in notices where notice == .subscribed(after: 0) { break }
    #expect(refreshes.withLock { $0 } == 1)
    end()
    await server.stop(grace: .zero)
  }

  @Test("a replaced timer that fires does not close the connection") func lateTimer() async throws {
    let channel = Locked<LineConnection?>(nil)
    let (server, _) = try await server { connection, line in
      guard line.contains("subscribe") else { return }
      channel.withLock { $0 = connection }
      connection.send(Self.welcome())
    }
    // These timers ignore their cancellation.
    let callbacks = Locked<[@Sendable () -> Void]>([])
    let (silences, silence) = AsyncStream.makeStream(of: Void.self)
    let timers = Timers(
      schedule: { duration, callback in
        guard duration == PushConfiguration().silenceTimeout else { return {} }
        callbacks.withLock { $0.append(callback) }
        silence.yield()
        return {}
      }, now: { Moment(sinceEpoch: .zero, sinceBoot: .zero) })
    let (notices, log) = notices()
    let end = PushClient<String>.live(
      at: StreamAddress(host: "127.0.0.1", port: server.port, usesTLS: false), over: .curl(), timers: timers, log: log
    ).subscribe { _ in }
    var silent = silences.makeAsyncIterator()
    await silent.next()
    channel.withLock { $0 }?.send(#"{"type":"heartbeat","cursor":0}"#)
    await silent.next()
    callbacks.withLock { $0 }[0]()
    channel.withLock { $0 }?.send(#"{"type":"push","cursor":1,"order":"7","result":"accepted"}"#)
    var seen: [PushNotice] = []
    for await notice in notices {
      seen.append(notice)
      if case .lost = notice { break }
      if notice == .received(cursor: 1) { break }
    }
    #expect(seen == [.connecting, .subscribed(after: 0), .received(cursor: 1)])
    end()
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
    let (notices, log) = notices()
    let end = PushClient<String>.live(
      at: StreamAddress(host: host, port: port, usesTLS: false), over: .curl(), log: log, random: { 0 }
    ).subscribe { _ in }
    var losses = 0
    for await notice in notices {
      guard case .lost(let why, _) = notice else { continue }
      #expect(why.contains(reason), "\(why)")
      losses += 1
      if losses == 3 { break }
    }
    end()
  }

  @Test("a push with an invalid order name is not delivered") func otherNames() async throws {
    let (server, _) = try await server { connection, line in
      guard line.contains("subscribe") else { return }
      connection.send(Self.welcome())
      connection.send(#"{"type":"push","cursor":1,"order":"seven","result":"accepted"}"#)
      connection.send(#"{"type":"push","cursor":2,"order":"7","result":"declined","reason":"late"}"#)
    }
    let (pushes, push) = AsyncStream.makeStream(of: PushedResult<Int>.self)
    let end = PushClient<Int>.live(
      at: StreamAddress(host: "localhost", port: server.port, usesTLS: false), over: .curl()
    ).subscribe { push.yield($0) }
    for await push in pushes {
      #expect(
        push
          == PushedResult(
            order: 7, result: .declined("late"), cursor: 2, checkpoint: PushCheckpoint(epoch: "s", cursor: 2)))
      break
    }
    end()
    await server.stop(grace: .zero)
  }
}
