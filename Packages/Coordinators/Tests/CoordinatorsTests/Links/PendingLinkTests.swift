import Coordinators
import ParallelTesting
import Testing

@Suite("Pending links")
struct PendingLinkTests {
  private let clock = ManualClock()

  @Test("a link waits until it is taken, once, and a newer link replaces it")
  func newestLinkIsTakenOnce() {
    var slot = PendingLink<Int>(atMost: .seconds(3), clock: clock)
    slot.hold(1)
    slot.hold(2)
    #expect(slot.take() == 2 && slot.take() == nil)
  }

  @Test("a link that waits for the time limit expires")
  func linkExpires() {
    var slot = PendingLink<Int>(atMost: .seconds(3), clock: clock)
    slot.hold(1)
    clock.advance(by: .seconds(2))
    #expect(slot.take() == 1)
    slot.hold(2)
    clock.advance(by: .seconds(3))
    #expect(slot.take() == nil)
  }
}
