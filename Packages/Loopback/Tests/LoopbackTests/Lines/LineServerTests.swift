import Foundation
import Loopback
import LoopbackTesting
import Testing

@Suite struct LineServerTests {
  /// Writes down what a server's handlers hear.
  final class Log: Sendable {
    let entries = Signal<String>()

    func handlers(_ onLine: @escaping @Sendable (LineConnection, Line) -> Void = { _, _ in }) -> LineHandlers {
      LineHandlers(
        onConnect: { [entries] in entries.send("connect \($0.id)") },
        onLine: { [entries] in
          entries.send("line \($1.text)\($1.isTerminated ? "" : " …")")
          onLine($0, $1)
        },
        onClose: { [entries] in entries.send("close: \($1)") })
    }

    func next() async -> String? { await entries.next() }
  }

  static let echo: @Sendable (LineConnection, Line) -> Void = { $0.send($1.bytes) }

  @Test func `lines go both ways, and the end of the client is the end`() async throws {
    let log = Log()
    let server = try await LineServer.start(log.handlers(Self.echo))
    let client = try RawClient(port: server.port)
    await client.send("one\r\ntwo\nthr")
    await client.send("ee\nhalf")
    client.endOutput()
    let (bytes, end) = await client.readToEnd()
    #expect(String(decoding: bytes, as: UTF8.self) == "one\ntwo\nthree\nhalf\n")
    #expect(end == .endOfFile)
    for entry in [
      "connect 1", "line one", "line two", "line three", "line half …", "close: The client closed the connection",
    ] {
      #expect(await log.next() == entry)
    }
    await server.stop()
  }

  @Test func `a half-closed client can be written to for as long as the handler likes`() async throws {
    let ended = Signal<LineConnection>()
    let server = try await LineServer.start(LineHandlers(onInputEnd: { ended.send($0) }))
    let client = try RawClient(port: server.port)
    client.endOutput()
    let connection = try #require(await ended.next())
    for number in 0..<3 {
      connection.send("push \(number)")
      #expect(await client.readLine() == "push \(number)")
    }
    connection.finish()
    connection.send("too late")
    let (bytes, end) = await client.readToEnd()
    #expect(bytes.isEmpty)
    #expect(end == .endOfFile)
    await server.stop()
  }

  @Test func `however a stream is cut, the lines are the same`() async throws {
    let server = try await LineServer.start(LineHandlers(onLine: Self.echo))
    var random = Seeded(42)
    for _ in 0..<20 {
      let lines = (0..<Int.random(in: 0...9, using: &random)).map { "\($0) " + String(repeating: "ä", count: $0) }
      let client = try RawClient(port: server.port)
      let text = lines.map { $0 + "\n" }.joined()
      for piece in random.pieces(of: Array(text.utf8)) { await client.send(piece) }
      client.endOutput()
      #expect(await client.readToEnd().bytes == Array(text.utf8))
    }
    await server.stop()
  }

  @Test func `a broadcast reaches every connection, in order`() async throws {
    let connected = Signal<LineConnection>()
    let server = try await LineServer.start(LineHandlers(onConnect: { connected.send($0) }))
    let clients = try (0..<50).map { _ in try RawClient(port: server.port) }
    for _ in clients { _ = await connected.next() }
    for number in 0..<20 { server.broadcast("news \(number)") }
    for client in clients {
      for number in 0..<20 { #expect(await client.readLine() == "news \(number)") }
    }
    await server.stop()
    for client in clients { #expect(await client.readToEnd().end == .endOfFile) }
  }

  @Test func `a connection can be closed or reset from anywhere, once`() async throws {
    let log = Log()
    let server = try await LineServer.start(
      log.handlers { connection, line in
        Task.detached {
          if line.text == "reset" { connection.reset() } else { connection.close() }
          connection.close()
          connection.send("nobody hears this")
        }
      })
    for (word, end) in [("reset", RawClient.End.reset), ("close", .endOfFile)] {
      let client = try RawClient(port: server.port)
      await client.send(word + "\n")
      #expect(await client.readToEnd().end == end)
      #expect(await log.next()?.hasPrefix("connect") == true)
      #expect(await log.next() == "line \(word)")
      #expect(await log.next() == "close: The server's handler closed the connection")
    }
    await server.stop()
  }

  @Test func `a stop sends what waits, and says so to the handlers`() async throws {
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
}
