import Foundation
import OrderTaking
import OrderTakingServer
import TestSupport
import Testing

@Suite("A server without free file descriptors") struct DescriptorTests {
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
