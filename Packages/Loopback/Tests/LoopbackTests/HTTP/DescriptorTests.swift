import Foundation
import Loopback
import LoopbackTesting
import Testing

@Suite struct DescriptorTests {
  @Test func `a start without free descriptors is an error, and does not end the process`() async {
    await #expect(processExitsWith: .success) {
      let inUse = try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
      for spare in 0..<24 {
        guard limitDescriptors(to: inUse + spare) else { exit(2) }
        do {
          await (try HTTPServer.start(Router {})).stop()
        } catch let error as LoopbackError {
          #expect(error.description.contains("Too many open files"))
        }
      }
    }
  }

  @Test func `a certificate that cannot be opened without a free descriptor is an error that names the limit`() async {
    await #expect(processExitsWith: .success) {
      guard limitDescriptors(to: 256) else { exit(2) }
      while dup(2) != -1 {}
      let identity = TLSIdentity(certificateChainFile: "/dev/null", keyFile: "/dev/null")
      let error = await #expect(throws: LoopbackError.self) { try await HTTPServer.start(Router {}, tls: identity) }
      let start = "Cannot load the certificate chain /dev/null: Too many open files. "
      #expect(error?.description == start + "Raise the limit with 'ulimit -n'.")
    }
  }

  @Test func `a server without a free descriptor reports it, and accepts connections once there is one`() async {
    await #expect(processExitsWith: .success) {
      let errors = Signal<LoopbackError>()
      let server = try await HTTPServer.start(
        Router { Route(.get, "/") { _ in .text("served") } }, onAcceptError: { errors.send($0) })
      guard limitDescriptors(to: 256) else { exit(2) }
      var taken = [dup(2)]
      while taken.last != -1 { taken.append(dup(2)) }
      // For the client.
      close(taken.removeFirst())
      let client = try RawClient(port: server.port)
      let error = await errors.next()
      for descriptor in taken { close(descriptor) }
      let start = "Cannot accept connections on 127.0.0.1:\(server.port): Too many open files. "
      #expect(error?.description == start + "Raise the limit with 'ulimit -n'.")
      #expect(await client.exchange(get("/"))?.text == "served")
      await server.stop()
    }
  }
}

/// Sets the maximum number of open files of this process.
///
/// - Returns: `false` if the system refuses it.
private func limitDescriptors(to count: Int) -> Bool {
  #if canImport(Darwin)
    let descriptors = RLIMIT_NOFILE
  #else
    let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #endif
  var limit = rlimit()
  _ = getrlimit(descriptors, &limit)
  limit.rlim_cur = rlim_t(count)
  return setrlimit(descriptors, &limit) == 0
}
