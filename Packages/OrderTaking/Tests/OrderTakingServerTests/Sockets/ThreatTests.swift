import Foundation
import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import Loopback
import LoopbackTesting
import OrderTaking
import OrderTakingClients
import OrderTakingJournal
import OrderTakingServer
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Testing

@Suite("Threats", .timeLimit(.minutes(2))) struct ThreatTests {
  func answer(_ server: OrderServer, _ request: String) async throws -> (text: String, end: RawClient.End) {
    let socket = try RawClient(port: server.port)
    await socket.send(request)
    return await socket.rest()
  }

  func subscribed(_ server: OrderServer, _ token: String) async throws -> RawClient {
    let socket = try RawClient(port: server.pushPort)
    await socket.send(#"{"type":"subscribe","token":"\#(token)"}"# + "\n")
    #expect(await socket.readLine()?.contains("welcome") == true)
    return socket
  }

  @Test(
    "a wrong token on HTTP reveals nothing and takes nothing", arguments: ["", "Bearer", "Bearer x", "Basic ann's"])
  func wrongToken(authorization: String) async throws {
    let server = try await OrderServer.start(.test([OfferedOrder("7")]))
    for line in ["PUT /orders/7/taking", "GET /orders/7/taking", "GET /orders/7", "GET /orders"] {
      let text = try await answer(
        server,
        "\(line) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIdempotency-Key: \(IdempotencyKey(high: 0, low: 1))\r\n"
          + "Authorization: \(authorization)\r\n\r\n"
      ).text
      #expect(text.hasPrefix("HTTP/1.1 401") && text.contains("WWW-Authenticate: Bearer"), "\(line): \(text)")
    }
    #expect(server.orders["7"]?.taking == nil)
    await server.stop()
  }

  @Test("a wrong token on the push channel is answered with a goodbye") func wrongPushToken() async throws {
    let server = try await OrderServer.start(.test([]))
    let socket = try RawClient(port: server.pushPort)
    await socket.send(#"{"type":"subscribe","token":"x"}"# + "\n")
    let rest = await socket.rest()
    #expect(rest.text == #"{"reason":"unauthorized","type":"goodbye"}"# + "\n" && rest.end == .endOfFile)
    await server.stop()
  }

  @Test("an incomplete line is ignored") func cutOff() async throws {
    let server = try await OrderServer.start(.test([]))
    let socket = try RawClient(port: server.pushPort)
    await socket.send(#"{"type":"subscribe","token":"ann's"}"#)
    socket.endOutput()
    #expect(await socket.rest().text.isEmpty)
    await server.stop()
  }

  @Test("a driver receives no pushes about other drivers' orders") func others() async throws {
    let server = try await OrderServer.start(.test([OfferedOrder("7"), OfferedOrder("8")]))
    let bob = try await subscribed(server, "bob's")
    let ann = Driver(server)
    _ = try await ann.taker.acceptance(of: "7")
    await bob.send(#"{"type":"replay","after":0}"# + "\n")
    let driver = Driver(server, token: "bob's")
    _ = try await driver.taker.acceptance(of: "8")
    var lines: [String] = []
    while let line = await bob.readLine() {
      lines.append(line)
      if line.contains("push") { break }
    }
    #expect(lines.last?.contains(#""order":"8""#) == true)
    #expect(!lines.contains { $0.contains(#""order":"7""#) })
    await server.stop()
  }

  @Test("a replayed push or a push for another intent ends no operation") func replayed()
    async throws
  {
    let key = IdempotencyKey(high: 7, low: 7)
    let stale =
      #"{"type":"push","cursor":1,"order":"7","key":"\#(IdempotencyKey(high: 1, low: 1))","result":"declined"}"#
    let right = #"{"type":"push","cursor":2,"order":"7","key":"\#(key)","result":"accepted"}"#
    let channel = Locked<LineConnection?>(nil)
    let server = try await LineServer.start(
      LineHandlers(onLine: { connection, line in
        guard line.text.contains("subscribe") else { return }
        channel.withLock { $0 = connection }
        connection.send(#"{"type":"welcome","stream":"s","after":0,"cursor":2}"#)
      }))
    let (notices, notice) = AsyncStream.makeStream(of: PushNotice.self)
    let steps = StepLog()
    let taker = OrderTaker<String, String>(
      httpClient: OrderHTTPClient(
        take: { _ in
          // The pushes are sent only now, because a push for an order without an operation is ignored.
          for push in [stale, stale, right, stale, right] { channel.withLock { $0 }?.send(push) }
          return Future(value: .processing)
        }, takingOperationStatus: { _ in Promise<TakingAnswer, HTTPError>().future },
        acceptedOrderDetails: { Future(value: $0) }),
      pushClient: .live(
        at: StreamAddress(host: "127.0.0.1", port: server.port, usesTLS: false), over: .curl(), configuration: .quick,
        log: { notice.yield($0) }),
      journal: .inMemory(),
      policy: .pushOnly, deliveringOn: immediateExecutionContext, makeKey: { key }, log: steps.add)
    for await notice in notices where notice == .subscribed(after: 0) { break }
    #expect(try await taker.acceptance(of: "7").order == "7")
    #expect(steps.pushedResultCount == 1 && !steps.hasContradiction)
    await server.stop(grace: .zero)
  }

  @Test("a body, a header and a line beyond their limits are refused") func tooLong() async throws {
    let server = try await OrderServer.start(.test([OfferedOrder("7")]))
    let body = try await answer(
      server, "PUT /orders/7/taking HTTP/1.1\r\nHost: localhost\r\nContent-Length: 67108865\r\n\r\n")
    #expect(body.text.hasPrefix("HTTP/1.1 413"))
    let header = try await answer(
      server, "GET /orders HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "x", count: 65 << 10))
    #expect(header.text.hasPrefix("HTTP/1.1 431"))
    let socket = try RawClient(port: server.pushPort)
    await socket.send(String(repeating: " ", count: 2 << 20))
    let rest = await socket.rest()
    #expect(rest.end != .timedOut && rest.text.isEmpty, "an endless line ends the connection, without a goodbye")
    await server.stop()
  }

  @Test("a push connection that is silent or never subscribes receives a goodbye") func silent() async throws {
    let clock = ManualClock()
    let (events, event) = AsyncStream.makeStream(of: OrderServerEvent.self)
    var configuration = OrderServer.Configuration(credentials: ["ann's": "ann"])
    configuration.silenceTimeout = .seconds(40)
    let server = try await OrderServer.start(
      configuration, timers: clock.timers, log: { event.yield($0) })
    let socket = try RawClient(port: server.pushPort)
    for await event in events { if case .pushConnected = event { break } }
    clock.advance(by: .seconds(60))
    #expect(await socket.rest().text == #"{"reason":"silent","type":"goodbye"}"# + "\n")
    await server.stop()
  }

  @Test("a step of the wall clock disconnects no push client") func clockStep() async throws {
    let wall = Locked(Duration.zero)
    let ticks = Locked<[@Sendable () -> Void]>([])
    let timers = Timers(
      schedule: { _, callback in
        ticks.withLock { $0.append(callback) }
        return {}
      }, now: { Moment(sinceEpoch: wall.withLock { $0 }, sinceBoot: .zero) })
    let server = try await OrderServer.start(.test([]), timers: timers)
    let ann = try await subscribed(server, "ann's")
    wall.withLock { $0 = .seconds(3_600) }
    for tick in ticks.withLock({ $0 }) { tick() }
    #expect(await ann.readLine() == #"{"cursor":0,"type":"heartbeat"}"#)
    await server.stop()
  }

  @Test("after a server clock jump expires the key, GET still reports our acceptance") func clock()
    async throws
  {
    let offset = Locked(Duration.zero)
    let timers = Timers(
      schedule: Timers.dispatch().schedule, now: { Moment(sinceEpoch: offset.withLock { $0 }, sinceBoot: .zero) })
    var faults = ServerFaults()
    faults.script = [.answerLost]
    let server = try await OrderServer.start(.test([OfferedOrder("7")], faults: faults), timers: timers) { event in
      if case .request(_, _, _, nil, .answerLost) = event { offset.withLock { $0 = .seconds(25 * 3_600) } }
    }
    let driver = Driver(server)
    #expect(try await driver.taker.acceptance(of: "7").details == "{}")
    await server.stop()
  }

  @Test("no token appears in a log, in the journal or in the server's file") func secrets() async throws {
    let folder = try TemporaryFolder()
    let secret = "s3cr3t-t0ken"
    let log = Locked("")
    var configuration = OrderServer.Configuration(
      offers: [OfferedOrder("7"), OfferedOrder("8", decidedAfter: .milliseconds(10))],
      credentials: Credentials([secret: "ann"]),
      faults: try ServerFaults("script=503/lost/401/ok,push-duplicate=1"))
    configuration.heartbeat = .milliseconds(20)
    let server = try await OrderServer.start(configuration, store: .sqlite(at: folder.file("orders"))) { event in
      log.withLock { $0 += "\(event)\n" }
    }
    let journal = try SQLiteJournal<String>(at: folder.file("journal"), server: "test")
    let token = TokenSource(secret) { Future(value: secret) }
    let taker = OrderTaker<String, String>(
      httpClient: .live(at: server.url, over: .curl(), token: token) { String(decoding: $0, as: UTF8.self) },
      pushClient: .live(
        at: StreamAddress(host: "127.0.0.1", port: server.pushPort, usesTLS: false), over: .curl(), token: token,
        configuration: .quick,
        log: { notice in
          log.withLock { $0 += "\(notice)\n" }
        }), journal: journal.journal, policy: .quick, deliveringOn: immediateExecutionContext,
      log: { progress in log.withLock { $0 += "\(progress)\n" } })
    _ = try await taker.acceptance(of: "7")
    _ = try await taker.acceptance(of: "8")
    await server.stop()
    journal.close()
    #expect(log.withLock { $0.contains("ann") && $0.contains("PUT") && !$0.contains(secret) })
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
      #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)")
    }
  }
}
