import Foundation
import Loopback
import LoopbackTesting
import Testing

@Suite struct HTTPStopTests {
  @Test func `a stop finishes current requests, and closes idle connections at once`() async throws {
    let gate = Gate()
    let server = try await HTTPServer.start(gate.router)
    let idle = try RawClient(port: server.port)
    _ = await idle.exchange(get("/hello"))
    let client = try RawClient(port: server.port)
    await client.send(get("/"))
    await gate.begun.next()
    async let stop: Void = server.stop(grace: .seconds(3_600))
    async let another: Void = server.stop(grace: .seconds(3_600))
    #expect(await idle.readToEnd().end == .endOfFile)
    #expect(throws: RawClient.Failure.self) { try RawClient(port: server.port) }
    gate.opened.send()
    let response = await client.readResponse()
    #expect(response?.text == "done")
    #expect(response?.headers["Connection"] == "close")
    #expect(await client.readToEnd().end == .endOfFile)
    _ = await (stop, another)
    await server.stop()
    #expect(await gate.ended.next() == "finished")
  }

  @Test func `after the grace period handlers are cancelled and connections reset`() async throws {
    let gate = Gate()
    let server = try await HTTPServer.start(gate.router)
    let client = try RawClient(port: server.port)
    await client.send(get("/"))
    await gate.begun.next()
    async let patient: Void = server.stop(grace: .seconds(3_600))
    await server.stop(grace: .milliseconds(10))
    await patient
    #expect(await client.readToEnd().end == .reset)
    #expect(await gate.ended.next() == "cancelled")
  }

  @Test func `a disconnected client cancels its handler`() async throws {
    let gate = Gate()
    let server = try await HTTPServer.start(gate.router)
    let client = try RawClient(port: server.port)
    await client.send(get("/"))
    await gate.begun.next()
    client.disconnect()
    #expect(await gate.ended.next() == "cancelled")
    await server.stop(grace: .zero)
  }

  @Test func `the release of a server frees its port and cancels its handlers`() async throws {
    let gate = Gate()
    var server: HTTPServer? = try await HTTPServer.start(gate.router)
    let port = try #require(server?.port)
    let client = try RawClient(port: port)
    await client.send(get("/"))
    await gate.begun.next()
    server = nil
    #expect(await client.readToEnd().end == .reset)
    #expect(await gate.ended.next() == "cancelled")
    let successor = try await HTTPServer.start(gate.router, port: port)
    #expect(successor.port == port)
    await successor.stop()
  }
}

/// A route that signals its start, waits for permission to finish, and signals its end.
final class Gate: Sendable {
  let begun = Signal<Void>()
  let opened = Signal<Void>()
  let ended = Signal<String>()

  var router: Router {
    Router {
      Route(.get, "/") { [self] _ -> HTTPResponse in
        begun.send()
        await opened.next()
        ended.send(Task.isCancelled ? "cancelled" : "finished")
        return .text("done")
      }
      Route(.get, "/hello") { _ in .text("Hello") }
    }
  }
}
