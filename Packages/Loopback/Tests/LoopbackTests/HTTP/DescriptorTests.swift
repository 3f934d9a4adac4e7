import Foundation
import Loopback
import LoopbackTesting
import TestSupport
import Testing

@Suite struct DescriptorTests {
  @Test func `a start without a free descriptor is an error, and does not end the process`() async {
    await #expect(processExitsWith: .success) {
      let error = await withoutFreeDescriptors {
        await #expect(throws: LoopbackError.self) { try await HTTPServer.start(Router {}) }
      }
      #expect(error?.description.contains("Too many open files. Raise the limit with 'ulimit -n'.") == true)
    }
  }

  @Test func `a certificate that cannot be opened without a free descriptor is an error that names the limit`() async {
    await #expect(processExitsWith: .success) {
      let identity = TLSIdentity(certificateChainFile: "/dev/null", keyFile: "/dev/null")
      let error = await withoutFreeDescriptors {
        await #expect(throws: LoopbackError.self) { try await HTTPServer.start(Router {}, tls: identity) }
      }
      let start = "Cannot load the certificate chain /dev/null: Too many open files. "
      #expect(error?.description == start + "Raise the limit with 'ulimit -n'.")
    }
  }

  @Test func `a server without a free descriptor reports it, and accepts connections once there is one`() async {
    await #expect(processExitsWith: .success) {
      let errors = Signal<LoopbackError>()
      let server = try await HTTPServer.start(
        Router { Route(.get, "/") { _ in .text("served") } }, onAcceptError: { errors.send($0) })
      let socket = RawClient.makeSocket()
      let (client, error) = try await withoutFreeDescriptors {
        (try RawClient(port: server.port, socket: socket), await errors.next())
      }
      let start = "Cannot accept connections on 127.0.0.1:\(server.port): Too many open files. "
      #expect(error?.description == start + "Raise the limit with 'ulimit -n'.")
      #expect(await client.exchange(get("/"))?.text == "served")
      await server.stop()
    }
  }
}
