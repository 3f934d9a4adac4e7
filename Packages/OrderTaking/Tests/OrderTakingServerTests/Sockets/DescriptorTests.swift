import Foundation
import LoopbackTesting
import OrderTaking
import OrderTakingServer
import TestSupport
import Testing

@Suite("A server without free file descriptors") struct DescriptorTests {
  @Test("a server without free descriptors logs the cause, and accepts connections afterwards") func log() async {
    await #expect(processExitsWith: .success) {
      let (errors, error) = AsyncStream.makeStream(of: String.self)
      let server = try await OrderServer.start { event in
        if case .acceptingFailed(let cause) = event { error.yield(cause) }
      }
      let socket = RawClient.makeSocket()
      let (client, cause) = try await withoutFreeDescriptors {
        (try RawClient(port: server.port, socket: socket), await errors.first { _ in true })
      }
      let start = "Cannot accept connections on 127.0.0.1:\(server.port): Too many open files. "
      #expect(cause?.hasPrefix(start) == true && cause?.contains("ulimit -n") == true)
      await client.send("GET /orders HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      #expect(await client.rest().text.hasPrefix("HTTP/1.1 401"))
      await server.stop(grace: .zero)
    }
  }

  @Test("the error of a start without free descriptors names the cause") func start() async {
    await #expect(processExitsWith: .success) {
      let timers = Timers(schedule: { _, _ in {} }, now: { Moment(sinceEpoch: .zero, sinceBoot: .zero) })
      let error = await withoutFreeDescriptors {
        await #expect(throws: OrderServerError.self) { try await OrderServer.start(timers: timers) }
      }
      #expect(error?.description.contains("Too many open files. Raise the limit with 'ulimit -n'") == true)
    }
  }
}
