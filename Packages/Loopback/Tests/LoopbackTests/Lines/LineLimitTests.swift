import Loopback
import LoopbackTesting
import Testing

@Suite struct LineLimitTests {
  func reason(
    _ change: (inout LoopbackLimits) -> Void, onConnect: @escaping @Sendable (LineConnection) -> Void = { _ in },
    _ body: (RawClient) async -> Void
  ) async throws -> String? {
    var limits = LoopbackLimits()
    change(&limits)
    let closed = Signal<String>()
    let server = try await LineServer.start(
      LineHandlers(onConnect: onConnect, onClose: { closed.send($1) }), limits: limits)
    let client = try RawClient(port: server.port, receiveBuffer: 4_096)
    await body(client)
    let reason = await closed.next()
    await server.stop(grace: .zero)
    return reason
  }

  @Test func `an incomplete line above the limit closes the connection`() async throws {
    let reason = try await reason({ $0.lineBytes = 10 }) { await $0.send(String(repeating: "x", count: 11)) }
    #expect(reason == "A line exceeded the limit of 10 bytes")
  }

  @Test func `a client that does not read is reset at the limit of waiting bytes`() async throws {
    let reason = try await reason(
      { $0.writeBacklogBytes = 100_000 },
      onConnect: { connection in
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000)
        for _ in 0..<20_000 { connection.send(line) }
      }, { _ in })
    #expect(reason == "The client left more than 100000 bytes unread")
  }

  @Test func `an idle connection closes`() async throws {
    let reason = try await reason({ $0.idleTimeout = .milliseconds(20) }) { client in
      #expect(await client.readToEnd().end == .endOfFile)
    }
    #expect(reason == "No complete line was received and nothing was sent for 0.02 seconds")
  }

  @Test func `at the connection limit the oldest connection without a complete line closes`() async throws {
    var limits = LoopbackLimits()
    limits.connections = 2
    let server = try await LineServer.start(LineHandlers(onLine: { $0.send($1.text) }), limits: limits)
    let speaker = try RawClient(port: server.port)
    await speaker.send("one\n")
    #expect(await speaker.readLine() == "one")
    let slow = try (0..<50).map { _ in try RawClient(port: server.port) }
    for client in slow { await client.send("par") }
    for client in slow.dropLast() { #expect(await client.readToEnd().end != .timedOut) }
    await speaker.send("two\n")
    #expect(await speaker.readLine() == "two")
    await server.stop()
  }

  @Test func `above the limit a connection closes without a call of a handler`() async throws {
    var limits = LoopbackLimits()
    limits.connections = 1
    let connected = Signal<Int>()
    let server = try await LineServer.start(
      LineHandlers(onConnect: { connected.send($0.id) }, onLine: { $0.send($1.text) }), limits: limits)
    let first = try RawClient(port: server.port)
    #expect(await connected.next() == 1)
    await first.send("one\n")
    #expect(await first.readLine() == "one")
    let second = try RawClient(port: server.port)
    #expect(await second.readToEnd().end == .endOfFile)
    first.endOutput()
    #expect(await first.readToEnd().end == .endOfFile)
    let third = try RawClient(port: server.port)
    #expect(await connected.next() == 3)
    _ = third
    await server.stop()
  }
}
