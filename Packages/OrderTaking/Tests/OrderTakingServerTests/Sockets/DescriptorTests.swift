import Foundation
import LoopbackTesting
import OrderTaking
import OrderTakingServer
import Testing

@Suite("A server without free file descriptors") struct DescriptorTests {
  @Test("a server without free descriptors logs the cause, and accepts connections afterwards") func log() async {
    await #expect(processExitsWith: .success) {
      let (errors, error) = AsyncStream.makeStream(of: String.self)
      let server = try await OrderServer.start { event in
        if case .acceptingFailed(let cause) = event { error.yield(cause) }
      }
      var descriptors = takeAllDescriptors()
      // For the client.
      close(descriptors.removeFirst())
      let client = try RawClient(port: server.port)
      for await cause in errors {
        let start = "Cannot accept connections on 127.0.0.1:\(server.port): Too many open files. "
        #expect(cause.hasPrefix(start) && cause.contains("ulimit -n"))
        break
      }
      for descriptor in descriptors { close(descriptor) }
      await client.send("GET /orders HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      #expect(await client.rest().text.hasPrefix("HTTP/1.1 401"))
      await server.stop(grace: .zero)
    }
  }

  @Test("the error of a start without free descriptors names the cause") func start() async {
    await #expect(processExitsWith: .success) {
      var descriptors = takeAllDescriptors()
      // For Dispatch, which stops the process if it cannot create its timer. A server needs more.
      for _ in 0..<6 { close(descriptors.removeFirst()) }
      let timers = Timers(schedule: { _, _ in {} }, now: { Moment(sinceEpoch: .zero, sinceBoot: .zero) })
      let error = await #expect(throws: OrderServerError.self) { try await OrderServer.start(timers: timers) }
      for descriptor in descriptors { close(descriptor) }
      #expect(error?.description.contains("Too many open files. Raise the limit with 'ulimit -n'") == true)
    }
  }
}

/// Lowers the limit of open files to 256, and opens files up to the limit.
private func takeAllDescriptors() -> [Int32] {
  #if canImport(Darwin)
    let resource = RLIMIT_NOFILE
  #else
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #endif
  var limit = rlimit()
  _ = getrlimit(resource, &limit)
  limit.rlim_cur = 256
  _ = setrlimit(resource, &limit)
  var descriptors: [Int32] = []
  while true {
    let descriptor = dup(2)
    guard descriptor >= 0 else { return descriptors }
    descriptors.append(descriptor)
  }
}
