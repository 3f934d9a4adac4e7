import Loopback
import LoopbackTesting
import Testing

@Suite struct LineLimitTests {
  /// Runs a server, and gives the reason that its first connection ends with.
  func reason(
    _ change: (inout LoopbackLimits) -> Void, onConnect: @escaping @Sendable (LineConnection) -> Void = { _ in },
    _ body: (RawClient) async -> Void
  ) async throws -> LineCloseReason? {
    var limits = LoopbackLimits()
    change(&limits)
    let closed = Signal<LineCloseReason>()
    let server = try await LineServer.start(
      LineHandlers(onConnect: onConnect, onClose: { closed.send($1) }), limits: limits)
    let client = try RawClient(port: server.port, receiveBuffer: 4_096)
    await body(client)
    let reason = await closed.next()
    await server.stop(grace: .zero)
    return reason
  }

  @Test func `a line over the limit closes the connection, though its end never comes`() async throws {
    let reason = try await reason({ $0.lineBytes = 10 }) { await $0.send(String(repeating: "x", count: 11)) }
    #expect(reason == .lineTooLong(limit: 10))
  }

  @Test func `a client that does not read is reset once too much waits for it`() async throws {
    let reason = try await reason(
      { $0.writeBacklogBytes = 100_000 },
      onConnect: { connection in
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000)
        for _ in 0..<20_000 { connection.send(line) }
      }, { _ in })
    #expect(reason == .slowReader(limit: 100_000))
  }

  @Test func `a quiet connection is closed`() async throws {
    let reason = try await reason({ $0.idleTimeout = .milliseconds(20) }) { client in
      #expect(await client.readToEnd().end == .endOfFile)
    }
    #expect(reason == .idle(.milliseconds(20)))
  }

  @Test func `a connection too many is closed at once, and no handler hears of it`() async throws {
    var limits = LoopbackLimits()
    limits.connections = 1
    let connected = Signal<Int>()
    let server = try await LineServer.start(LineHandlers(onConnect: { connected.send($0.id) }), limits: limits)
    let first = try RawClient(port: server.port)
    #expect(await connected.next() == 1)
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
