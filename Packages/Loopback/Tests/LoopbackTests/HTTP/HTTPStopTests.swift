import Foundation
import Loopback
import LoopbackTesting
import Testing

@Suite struct HTTPStopTests {
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

  #if os(Linux)
    /// A child process of another thread has such a copy until it runs its program.
    @Test func `a stopped server refuses connections although another process has a copy of its socket`() async throws {
      let server = try await HTTPServer.start(Router {})
      let listening = try #require((0..<1_024).first { localPort(of: $0) == server.port })
      let copy = dup(listening)
      defer { close(copy) }
      await server.stop()
      #expect(throws: RawClient.Failure.self) { try RawClient(port: server.port) }
    }
  #endif

  private func localPort(of descriptor: Int32) -> Int? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard status == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
    return Int(UInt16(bigEndian: address.sin_port))
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

  @Test func `the error of a port in use has a next step`() async throws {
    let first = try await HTTPServer.start(Router {})
    let error = await #expect(throws: LoopbackError.self) { try await HTTPServer.start(Router {}, port: first.port) }
    #expect(error?.description.hasPrefix("Cannot listen on 127.0.0.1:\(first.port): Address already in use. ") == true)
    #expect(error?.description.contains("port 0") == true)
    await first.stop()
  }

  @Test(arguments: [-1, 65_536, .max, .min]) func `an invalid port is an error`(port: Int) async {
    let error = await #expect(throws: LoopbackError.self) { try await HTTPServer.start(Router {}, port: port) }
    #expect(error?.description.contains("the port is not in the range 0 to 65535. Use port 0") == true)
  }

  @Test func `100 servers start and stop`() async throws {
    for _ in 0..<100 {
      let server = try await HTTPServer.start(Router { Route(.get, "/") { _ in .text("up") } })
      let client = try RawClient(port: server.port)
      #expect(await client.exchange(get("/"))?.text == "up")
      await server.stop()
    }
  }
}
