import Foundation
import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import Loopback
import LoopbackTesting
import OrderTaking
import OrderTakingClients
import OrderTakingServer
import TestSupport
import Testing

@Suite("A server that requires client certificates", .timeLimit(.minutes(1))) struct MutualTLSTests {
  let authority: TestCertificateAuthority
  let certificate: TestCertificate

  init() async throws {
    authority = try await TestCertificateAuthority()
    certificate = try await authority.issue()
  }

  func start(_ observer: Observer? = nil) async throws -> OrderServer {
    var configuration = OrderServer.Configuration.test([OfferedOrder("7", decidedAfter: .milliseconds(1))])
    configuration.tls = TLSIdentity(
      certificateChainFile: certificate.certificateFile, keyFile: certificate.keyFile,
      clientCAFile: authority.certificateFile)
    return try await OrderServer.start(configuration, observer: observer)
  }

  func configuration(_ client: TestCertificate?) -> CurlConfiguration {
    var configuration = CurlConfiguration()
    configuration.certificateAuthorities = authority.certificateFile
    configuration.identity = client.map { .init(certificate: $0.certificateFile, key: $0.keyFile) }
    return configuration
  }

  @Test("a client with a certificate takes an order, and receives its push") func accepted() async throws {
    let server = try await start()
    let driver = try await authority.issueClient(name: "driver 7")
    let configuration = configuration(driver)
    let token = TokenSource("ann's") { Future(error: .status(401)) }
    let steps = StepLog()
    let taker = OrderTaker<String, String>(
      httpClient: .live(at: server.url, over: .curl(configuration), token: token) {
        String(decoding: $0, as: UTF8.self)
      },
      pushClient: .live(
        at: StreamAddress(host: "127.0.0.1", port: server.pushPort), over: .curl(configuration), token: token,
        configuration: .quick),
      journal: .inMemory(), policy: .pushOnly, deliveringOn: immediateExecutionContext, log: steps.add)
    #expect(try await taker.acceptance(of: "7").order == "7")
    #expect(steps.pushedResultCount == 1)
    withExtendedLifetime(driver) {}
    await server.stop()
  }

  @Test(
    "a client without a certificate, or with one of another authority, is refused on both channels",
    arguments: [false, true])
  func refused(hasStrangersCertificate: Bool) async throws {
    let server = try await start()
    let stranger = try await TestCertificateAuthority().issueClient(name: "driver 7")
    let configuration = configuration(hasStrangersCertificate ? stranger : nil)
    let url = server.url.appending(path: "orders")
    let result = await HTTPClient.curl(configuration).dataFuture(with: url).get() as Result
    #expect(result.error?.kind == .secureConnectionFailed && result.error?.mayHaveReachedServer == false)
    let address = StreamAddress(host: "127.0.0.1", port: server.pushPort)
    let events = AsyncStream<StreamClient.Event>.makeStream()
    let connection = StreamClient.curl(configuration).open(address) { events.continuation.yield($0) }
    connection.send(Array((#"{"type":"subscribe","token":"ann's"}"# + "\n").utf8))
    for await event in events.stream {
      if case .received(let bytes) = event { Issue.record("received \(bytes)") }
      if case .ended(let error) = event {
        #expect([.secureConnectionFailed, .connectionLost].contains(error.kind), "\(error)")
        break
      }
    }
    withExtendedLifetime(stranger) {}
    await server.stop()
  }

  @Test(
    "an observer receives the opening and the end of a push connection, and nothing about one without a TLS handshake")
  func observedConnections() async throws {
    let changes = Log<String>()
    let server = try await start(
      Observer(connectionChanged: { connection in
        if case .opened = connection.change { changes.append("opened") } else { changes.append("ended") }
      }))
    let plain = try RawClient(port: server.pushPort)
    await plain.send(#"{"type":"subscribe","token":"ann's"}"# + "\n")
    while await plain.readLine() != nil {}
    #expect(changes.all.isEmpty)
    let driver = try await authority.issueClient(name: "driver 7")
    let events = AsyncStream<StreamClient.Event>.makeStream()
    let address = StreamAddress(host: "127.0.0.1", port: server.pushPort)
    let connection = StreamClient.curl(configuration(driver)).open(address) { events.continuation.yield($0) }
    connection.send(Array("no command\n".utf8))
    for await event in events.stream {
      if case .ended = event { break }
    }
    #expect(await changes.first(2) == ["opened", "ended"])
    withExtendedLifetime(driver) {}
    await server.stop()
  }
}
