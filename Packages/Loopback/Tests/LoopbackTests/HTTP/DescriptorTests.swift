import Foundation
import Loopback
import Testing

@Suite struct DescriptorTests {
  @Test func `a start without descriptors to spare is an error, and ends no process`() async {
    await #expect(processExitsWith: .success) {
      let inUse = try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
      #if canImport(Darwin)
        let descriptors = RLIMIT_NOFILE
      #else
        let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      #endif
      for spare in 0..<24 {
        var limit = rlimit()
        _ = getrlimit(descriptors, &limit)
        limit.rlim_cur = rlim_t(inUse + spare)
        guard setrlimit(descriptors, &limit) == 0 else { exit(2) }
        do {
          await (try HTTPServer.start(Router {})).stop()
        } catch let error as LoopbackError {
          #expect(error.description.contains("Too many open files"))
        }
      }
    }
  }
}
