import Foundation
import Futures
import FuturesNetworkingCurl
import Loopback
import LoopbackTesting
import OrderTaking
import OrderTakingClients
import OrderTakingServer
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Testing

@Suite("Threats to a server", .serialized, .timeLimit(.minutes(5))) struct ThreatTests {
  static func goodbye(_ reason: String) -> String { #"{"reason":"\#(reason)","type":"goodbye"}"# }

  @Test(
    "a wrong token reveals nothing and takes nothing",
    arguments: ["", "Bearer", "Bearer x", "Basic ann's", "Bearer a"])
  func wrongToken(authorization: String) async throws {
    let server = try await OrderServer.start(.test(OfferedOrder("7", details: "secret")))
    for line in ["PUT /orders/7/taking", "GET /orders/7/taking", "GET /orders/7", "GET /orders", "GET /orders/nope"] {
      let answer = try await RawClient.response(line, "Authorization: \(authorization)", from: server)
      #expect(answer.hasPrefix("HTTP/1.1 401") && answer.contains(#""problem":"unauthorized""#), "\(line): \(answer)")
      #expect(answer.contains("WWW-Authenticate: Bearer"))
    }
    #expect(server.orders["7"]?.taking == nil)
    #expect(try await RawClient.subscription("x", to: server).line == Self.goodbye("unauthorized"))
    await server.close()
  }

  @Test("a revoked token is refused on both channels, and an accepted one gets the pushes") func revoked() async throws
  {
    let server = try await OrderServer.start(.test(OfferedOrder("7"), OfferedOrder("8")))
    let (old, welcome) = try await RawClient.subscription("ann's", to: server)
    #expect(welcome?.contains("welcome") == true)
    server.accept("fresh", for: "ann")
    server.revoke("ann's")
    #expect(await old.rest().hasSuffix(Self.goodbye("unauthorized") + "\n"))
    #expect(try await RawClient.taking("7", from: server).hasPrefix("HTTP/1.1 401"))
    #expect(try await RawClient.taking("7", token: "fresh", from: server).hasPrefix("HTTP/1.1 200"))
    let token = TokenSource("ann's") { Future(value: "fresh") }
    let taker = OrderTaker<Data>(
      httpClient: .live(at: server.url, over: .curl(), token: token) { $0 }, journal: .inMemory(),
      deliveringOn: immediateExecutionContext)
    #expect(try await taker.acceptance(of: "8").details == Data("{}".utf8))
    await server.close()
  }

  @Test("a text that is no name is refused, and names no order", arguments: ["a%0Ab", "%09", "%01", "%7F", "a%C2%85"])
  func names(text: String) async throws {
    let server = try await OrderServer.start(.test())
    let answer = try await RawClient.taking(text, from: server)
    #expect(answer.hasPrefix("HTTP/1.1 400"), "\(answer)")
    await server.close()
  }

  @Test("every name can be offered and taken", arguments: ["tour 7, ü%", "a?b#c&d", "..a", "\u{202E}", "🚚"])
  func allNames(text: String) async throws {
    let server = try await OrderServer.start(.test(OfferedOrder(try OrderID(text))))
    #expect(try await Driver(server).taker.acceptance(of: OrderID(text)).details == "{}")
    await server.close()
  }

  @Test("a body, a header and a line beyond their limits are refused") func tooLong() async throws {
    let server = try await OrderServer.start(.test(OfferedOrder("7")))
    let body = try RawClient(port: server.port)
    await body.send("PUT /orders/7/taking HTTP/1.1\r\nHost: localhost\r\nContent-Length: 67108865\r\n\r\n")
    #expect(await body.rest().hasPrefix("HTTP/1.1 413"))
    let header = try RawClient(port: server.port)
    await header.send("GET /orders HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "x", count: 65 << 10))
    #expect(await header.rest().hasPrefix("HTTP/1.1 431"))
    let line = try RawClient(port: server.pushPort)
    await line.send(String(repeating: " ", count: 2 << 20))
    #expect(await line.rest().isEmpty, "an endless line ends the connection, without a goodbye")
    await server.close()
  }

  @Test("a silent push connection is closed, and a step of the wall clock closes none") func silent() async throws {
    let (clock, error) = (ManualClock(), Locked(Duration.zero))
    let timers = Timers(schedule: clock.timers.schedule) {
      var now = clock.timers.now()
      now.sinceEpoch += error.withLock { $0 }
      return now
    }
    let log = EventLog()
    let server = try await OrderServer.start(.init(tokens: ["ann's": "ann"]), timers: timers, observer: log.observer)
    let (ann, _) = try await RawClient.subscription("ann's", to: server)
    await log.seesConnection(.opened)
    error.withLock { $0 = .seconds(3_600) }
    clock.advance(by: .seconds(15))
    #expect(await ann.readLine() == #"{"cursor":0,"type":"heartbeat"}"#)
    clock.advance(by: .seconds(30))
    #expect(await ann.rest().hasSuffix(Self.goodbye("silent") + "\n"))
    await server.close()
  }

  @Test("with TLS, both channels use it, and a push channel without it says so") func tls() async throws {
    let authority = try await TestCertificateAuthority()
    let certificate = try await authority.issue()
    var configuration = OrderServer.Configuration.test(OfferedOrder("7", decidedAfter: .milliseconds(1)))
    configuration.tls = TLSIdentity(
      certificateChainFile: certificate.certificateFile, keyFile: certificate.keyFile)
    let server = try await OrderServer.start(configuration)
    var curl = CurlConfiguration()
    curl.certificateAuthorities = authority.certificateFile
    let driver = Driver(server, policy: .pushOnly, curl: curl)
    #expect(try await driver.taker.acceptance(of: "7").details == "{}")
    let log = EventLog()
    let end = PushClient.live(
      host: "127.0.0.1", port: server.pushPort, security: .plaintext, over: .curl(), observer: log.observer
    ).subscribe { _ in }
    await log.sees { if case .connection(let it) = $0 { "\(it.change)".contains("Use security: .tls") } else { false } }
    end()
    await server.close()
  }

  @Test("no token appears in an event, in an error or in the server's file") func secrets() async throws {
    let (folder, secret, log) = (try TemporaryFolder(), "s3cr3t-t0ken", EventLog())
    var configuration = OrderServer.Configuration.test(
      OfferedOrder("7"), OfferedOrder("8", decidedAfter: .milliseconds(10)), storage: .file(folder.file("orders")))
    configuration.tokens = [secret: "ann"]
    let server = try await OrderServer.start(configuration, observer: log.observer)
    server.inject(.serverError, .lostResponse, .duplicatedPush)
    let driver = Driver(server, token: secret)
    _ = try await driver.taker.acceptance(of: "7")
    _ = try await driver.taker.acceptance(of: "8")
    server.revoke(secret)
    await #expect(throws: OrderTakingFailure.self) { try await driver.taker.acceptance(of: "9") }
    await server.close()
    #expect(log.text.contains("ann") && !log.text.contains(secret) && !driver.log.text.contains(secret))
    for name in folder.contents {
      #expect(try Data(contentsOf: URL(filePath: folder.file(name))).range(of: Data(secret.utf8)) == nil, "\(name)")
    }
  }

  @Test("a close sends a goodbye, finishes current requests, and frees the ports") func close() async throws {
    let log = EventLog()
    var configuration = OrderServer.Configuration.test(OfferedOrder("7"))
    configuration.faults.longestDelay = .milliseconds(200)
    let server = try await OrderServer.start(configuration, observer: log.observer)
    let (push, _) = try await RawClient.subscription("ann's", to: server)
    server.inject(.delayedResponse)
    async let answer = RawClient.response("GET /orders", "Authorization: Bearer ann's", from: server)
    await log.sees { if case .request = $0 { true } else { false } }
    await server.close()
    #expect(try await answer.hasSuffix(#"{"orders":["7"]}"#), "the delayed response was sent")
    #expect(await push.rest().hasSuffix(Self.goodbye("stopping") + "\n"))
    await server.close()
    #expect(throws: RawClient.Failure.self) { try RawClient(port: server.port) }
    #expect(throws: RawClient.Failure.self) { try RawClient(port: server.pushPort) }
  }
}
