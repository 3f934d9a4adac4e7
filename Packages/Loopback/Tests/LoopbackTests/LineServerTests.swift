import Foundation
import Loopback
import LoopbackTesting
import Testing

@Suite struct LineServerTests {
  final class Log: Sendable {
    let entries = Signal<String>()

    func handlers(_ onLine: @escaping @Sendable (LineConnection, Line) -> Void = { _, _ in }) -> LineHandlers {
      LineHandlers(
        onConnect: { [entries] in entries.send("connect \($0.id)") },
        onLine: { [entries] in
          entries.send("line \($1.text)")
          onLine($0, $1)
        },
        onClose: { [entries] in entries.send("close: \($1)") })
    }

    func next() async -> String? { await entries.next() }
  }

  static let echo: @Sendable (LineConnection, Line) -> Void = { $0.send($1.bytes) }

  @Test func `lines are received and sent, and a client that closes its side gets all lines`() async throws {
    let log = Log()
    let server = try await LineServer.start(log.handlers(Self.echo))
    let client = try RawClient(port: server.port)
    await client.send("one\r\ntwo\nthr")
    await client.send("ee\nhalf")
    client.endOutput()
    let (bytes, end) = await client.readToEnd()
    #expect(String(decoding: bytes, as: UTF8.self) == "one\ntwo\nthree\n")
    #expect(end == .endOfFile)
    for entry in ["connect 1", "line one", "line two", "line three", "close: The client closed the connection"] {
      #expect(await log.next() == entry)
    }
    await server.stop()
  }

  @Test func `a stop sends the waiting lines, and calls the handler of the end`() async throws {
    let log = Log()
    let server = try await LineServer.start(
      log.handlers { connection, _ in for number in 0..<10_000 { connection.send("line \(number)") } })
    let client = try RawClient(port: server.port)
    await client.send("go\n")
    #expect(await client.readLine() == "line 0")
    async let first: Void = server.stop(grace: .seconds(3_600))
    async let second: Void = server.stop(grace: .seconds(3_600))
    let (bytes, end) = await client.readToEnd()
    #expect(bytes.suffix(10) == Array("line 9999\n".utf8)[...])
    #expect(end == .endOfFile)
    _ = await (first, second)
    for entry in ["connect 1", "line go", "close: The server stopped"] { #expect(await log.next() == entry) }
  }

  @Test func `a line at the limit is delivered, and a longer one closes the connection`() async throws {
    let log = Log()
    let server = try await LineServer.start(log.handlers(Self.echo))
    let limit = 1 << 20
    for (count, end, reason) in [
      (limit, "\r\n", "The client closed the connection"),
      (limit + 2, "", "A line exceeded the limit of 1048576 bytes"),
    ] {
      let client = try RawClient(port: server.port)
      await client.send(String(repeating: "x", count: count) + end)
      client.endOutput()
      #expect(await client.readToEnd().bytes.count == (end.isEmpty ? 0 : limit + 1))
      var entry = await log.next()
      while entry?.hasPrefix("close: ") == false { entry = await log.next() }
      #expect(entry == "close: \(reason)")
    }
    await server.stop()
  }

  @Test func `a handler closes a connection after its lines, and later lines are ignored`() async throws {
    let log = Log()
    let server = try await LineServer.start(
      log.handlers { connection, _ in
        connection.send("last")
        connection.finish()
        connection.send("never sent")
      })
    let client = try RawClient(port: server.port)
    await client.send("one\n")
    #expect(await client.readToEnd().bytes == Array("last\n".utf8))
    for entry in ["connect 1", "line one", "close: The server's handler closed the connection"] {
      #expect(await log.next() == entry)
    }
    await server.stop()
  }

  @Test func `after the grace period a stop resets a client that does not read`() async throws {
    let log = Log()
    let server = try await LineServer.start(
      log.handlers { connection, _ in
        for _ in 0..<20 { connection.send([UInt8](repeating: 7, count: 1_000_000)) }
      })
    let client = try RawClient(port: server.port, receiveBuffer: 4_096)
    await client.send("go\n")
    #expect(await client.read(1) == [7])
    await server.stop(grace: .milliseconds(1))
    #expect(await client.readToEnd().end == .reset)
    for entry in ["connect 1", "line go", "close: The server stopped"] { #expect(await log.next() == entry) }
  }
}
