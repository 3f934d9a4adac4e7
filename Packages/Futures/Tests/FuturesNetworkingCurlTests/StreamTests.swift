import Foundation
import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import Loopback
import LoopbackTesting
import Synchronization
import Testing

@Suite("Connections of a libcurl client") struct StreamTests {
  private static let echo = LineHandlers(
    onConnect: { $0.send("welcome") }, onLine: { connection, line in connection.send("you said \(line)") })

  private final class Events: Sendable {
    private let events = AsyncStream<StreamClient.Event>.makeStream()

    func add(_ event: StreamClient.Event) { events.continuation.yield(event) }

    func text(until ending: String) async -> Result<String, NetworkError> {
      var received = ""
      for await event in events.stream {
        switch event {
        case .connected: break
        case .received(let bytes): received += String(decoding: bytes, as: UTF8.self)
        case .ended(let error): return .failure(error)
        }
        if received.hasSuffix(ending) { return .success(received) }
      }
      return .success(received)
    }
  }

  @Test(
    "bytes travel in both directions, also those that are sent before the connection is open", arguments: [false, true])
  func both(usesTLS: Bool) async throws {
    let authority = try await TestCertificateAuthority()
    let certificate = try await authority.issue()
    let identity = TLSIdentity(certificateChainFile: certificate.certificateFile, keyFile: certificate.keyFile)
    let server = try await LineServer.start(Self.echo, tls: usesTLS ? identity : nil)
    var configuration = CurlConfiguration()
    configuration.certificateAuthorities = authority.certificateFile
    let events = Events()
    let connection = StreamClient.curl(configuration)
      .open(StreamAddress(host: "127.0.0.1", port: server.port, usesTLS: usesTLS)) { events.add($0) }
    let line = String(repeating: "egg", count: 10_000)
    connection.send(Array("\(line)\n".utf8))
    #expect(await events.text(until: "\(line)\n") == .success("welcome\nyou said \(line)\n"))
    connection.send(Array("puf".utf8))
    connection.send(Array("fin\n".utf8))
    #expect(await events.text(until: "puffin\n") == .success("you said puffin\n"))
    await server.stop(grace: .zero)
    guard case .failure(let error) = await events.text(until: "never") else { return }
    #expect(error.kind == .connectionLost, "\(error)")
  }

  @Test("an untrusted server, a refused connection and an invalid port are errors before the connection is open")
  func failures() async throws {
    let certificate = try await TestCertificateAuthority().issue()
    let identity = TLSIdentity(certificateChainFile: certificate.certificateFile, keyFile: certificate.keyFile)
    let server = try await LineServer.start(Self.echo, tls: identity)
    let closed = try ScriptedServer(.close)
    closed.stop()
    let cases: [(StreamAddress, NetworkError.Kind)] = [
      (StreamAddress(host: "127.0.0.1", port: server.port), .secureConnectionFailed),
      (StreamAddress(host: "127.0.0.1", port: Int(closed.port)), .cannotConnect),
      (StreamAddress(host: "127.0.0.1", port: 70_000), .badURL),
    ]
    let client = StreamClient.curl()
    for (address, kind) in cases {
      let events = Events()
      let connection = client.open(address) { events.add($0) }
      let result = await events.text(until: "\n")
      #expect(result.error?.kind == kind && result.error?.phase == .connecting, "\(result)")
      connection.close()
    }
    await server.stop(grace: .zero)
  }

  @Test("a server that does not read ends the connection when more than 64 KiB are unsent") func unread() async throws {
    let server = try ScriptedServer(.replyAndHold(""))
    let events = Events()
    let connection = StreamClient.curl()
      .open(StreamAddress(host: "127.0.0.1", port: Int(server.port), usesTLS: false)) { events.add($0) }
    connection.send([UInt8](repeating: 0, count: 20 << 20))
    guard case .failure(let error) = await events.text(until: "never") else { return }
    #expect(error.reason?.contains("does not read") == true)
  }

  @Test("closing a connection closes it for the server, and no event follows, also inside the handler of events")
  func close() async throws {
    let (closed, close) = AsyncStream<Void>.makeStream()
    let handlers = LineHandlers(
      onLine: { connection, _ in connection.send(String(repeating: "egg", count: 200_000)) },
      onClose: { _, _ in close.yield() })
    let server = try await LineServer.start(handlers)
    let connection = Promise<StreamConnection, Never>()
    let hasClosed = Atomic(false)
    let address = StreamAddress(host: "127.0.0.1", port: server.port, usesTLS: false)
    let opened = StreamClient.curl().open(address) { event in
      if event == .connected { return }
      let isLate = hasClosed.exchange(true, ordering: .sequentiallyConsistent)
      #expect(!isLate)
      connection.future.value?.close()
    }
    connection.success(opened)
    opened.send(Array("go\n".utf8))
    for await _ in closed { break }
    let received = hasClosed.load(ordering: .sequentiallyConsistent)
    #expect(received)
    await server.stop(grace: .zero)
  }
}
