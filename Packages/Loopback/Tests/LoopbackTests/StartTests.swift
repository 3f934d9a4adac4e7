import TestSupport
import Testing

@testable import Loopback

@Suite struct StartTests {
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

  @Test func `a start without a free descriptor is an error, and does not end the process`() async {
    await #expect(processExitsWith: .success) {
      let error = withoutFreeDescriptors { #expect(throws: LoopbackError.self) { try EventLoop() } }
      #expect(error?.description.contains("Too many open files. Raise the limit with 'ulimit -n'.") == true)
    }
  }
}
