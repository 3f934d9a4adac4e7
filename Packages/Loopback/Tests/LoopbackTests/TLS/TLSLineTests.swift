import Loopback
import LoopbackTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct TLSLineTests {
  func reason(_ body: (TLSClient) async throws -> Void) async throws -> String? {
    let certificates = try await Certificates.shared.value
    let closed = Signal<String>()
    let server = try await LineServer.start(
      LineHandlers(
        onConnect: { $0.send("welcome \($0.clientName ?? "nobody")") }, onLine: { $0.send($1.bytes) },
        onClose: { closed.send($1) }),
      tls: certificates.mutual)
    let till = try await certificates.authority.issueClient(name: "till 7")
    try await body(try await TLSClient(port: server.port, trusting: certificates.authority, certificate: till))
    let reason = await closed.next()
    await server.stop(grace: .zero)
    return reason
  }

  @Test func `a client that closes its side with a close notify gets all lines`() async throws {
    let reason = try await reason { client in
      await client.send("one\r\ntwo\nthr")
      await client.send("ee\nhalf")
      client.endOutput()
      let (bytes, end) = await client.read()
      #expect(String(decoding: bytes, as: UTF8.self) == "welcome till 7\none\ntwo\nthree\n")
      #expect(end == .closeNotify)
    }
    #expect(reason == "The client closed the connection")
  }

  @Test func `a TCP end without a close notify is a failure`() async throws {
    let reason = try await reason { client in
      await client.send("one\n")
      #expect(await client.read(19).bytes == Array("welcome till 7\none\n".utf8))
      client.cut()
    }
    #expect(reason == "The connection failed: the client ended it without a TLS close notify")
  }

  @Test func `lines of several megabytes are received and sent`() async throws {
    let reason = try await reason { client in
      let line = String(repeating: "x", count: 1_000_000) + "\n"
      _ = await client.read(15)
      for _ in 0..<4 {
        await client.send(line)
        #expect(await client.read(line.utf8.count).bytes == Array(line.utf8))
      }
      client.endOutput()
      #expect(await client.read().end == .closeNotify)
    }
    #expect(reason == "The client closed the connection")
  }
}
