import LoopbackTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct ScriptedServerTests {
  @Test(arguments: [
    (ScriptedServer.Action.reply("egg"), "egg", RawClient.End.endOfFile), (.close, "", .endOfFile),
    (.answer { String($0.prefix(5)) }, "PUT /", .endOfFile), (.replyOnce("egg"), "egg", .endOfFile),
  ]) func `a reply is sent after the whole request, and the connection ends`(
    action: ScriptedServer.Action, reply: String, end: RawClient.End
  ) async throws {
    let server = try ScriptedServer(action)
    let client = try RawClient(port: Int(server.port))
    for piece in ["PUT / HTTP/1.1\r\nContent-", "Length: 4\r\n\r\nso", "ap"] { await client.send(piece) }
    if case .replyOnce = action {
      #expect(await client.read(3) == Array("egg".utf8))
      await client.send(get("/"))
      #expect(await client.readToEnd() == ([], end))
    } else {
      #expect(await client.readToEnd() == (Array(reply.utf8), end))
    }
    #expect(await server.nextHead().hasPrefix("PUT / HTTP/1.1\r\nContent-Length: 4\r\n\r\n"))
    #expect(server.connectionCount == 1)
  }

  @Test func `a connection is kept for further requests, and a stopped server refuses others`() async throws {
    let server = try ScriptedServer(.keepAlive("egg"))
    let client = try RawClient(port: Int(server.port))
    for _ in 0..<3 {
      await client.send(get("/"))
      #expect(await client.read(3) == Array("egg".utf8))
    }
    server.stop()
    #expect(throws: RawClient.Failure.self) { try RawClient(port: Int(server.port)) }
    await client.send(get("/"))
    #expect(await client.read(3) == Array("egg".utf8))
  }

  @Test func `a held connection reports that its client has closed`() async throws {
    let server = try ScriptedServer(.replyAndHold("egg"))
    let clients = try (0..<2).map { _ in try RawClient(port: Int(server.port)) }
    for client in clients {
      await client.send(get("/"))
      #expect(await client.read(3) == Array("egg".utf8))
      client.endOutput()
      await server.clientHasClosed()
    }
    #expect(server.connectionCount == 2)
  }
}
