import Dispatch
import ParallelTesting
import TestSupport
import Testing

@testable import OrderTaking

@Suite("Timers on a Dispatch queue") struct TimerTests {
  @Test("timers fire once each, in the order of their times and not early") func order() async {
    let timers = TimerQueue(DispatchQueue(label: "timers"))
    let calls = Log<Int>()
    let start = DispatchTime.now().uptimeNanoseconds
    for place in [5, 1, 4, 2, 3, 0, 6] {
      _ = timers.schedule(after: .milliseconds(place)) {
        let isEarly = DispatchTime.now().uptimeNanoseconds < start + UInt64(place) * 1_000_000
        calls.append(isEarly ? -1 : place)
      }
    }
    #expect(await calls.first(7).sorted() == Array(0...6))
  }

  @Test("a callback can schedule and cancel timers, and a late or second cancellation does nothing") func inside() async
  {
    let timers = TimerQueue(DispatchQueue(label: "timers"))
    let calls = Locked(0)
    await withCheckedContinuation { continuation in
      _ = timers.schedule(after: .zero) {
        let never = timers.schedule(after: .zero) { calls.withLock { $0 += 1 } }
        never()
        never()
        _ = timers.schedule(after: .zero) {
          never()
          _ = timers.schedule(after: .milliseconds(1)) { continuation.resume() }
          never()
        }
      }
    }
    #expect(calls.withLock { $0 } == 0)
  }

  @Test("a cancelled timer releases its callback immediately, and the release of the queue releases all") func release()
  {
    final class Probe: Sendable {}
    var timers: TimerQueue? = TimerQueue(.global())
    weak var cancelled: Probe?
    weak var waiting: Probe?
    do {
      let (first, second) = (Probe(), Probe())
      (cancelled, waiting) = (first, second)
      let timer = timers?.schedule(after: .seconds(3_600)) { _ = first }
      _ = timers?.schedule(after: .seconds(3_600)) { _ = second }
      timer?()
    }
    #expect(cancelled == nil && waiting != nil)
    timers = nil
    #expect(waiting == nil)
  }

  @Test("the default timers use the system's clock, and accept delays of any length") func live() async {
    let timers = Timers.dispatch()
    #expect(timers.now().sinceEpoch > .seconds(1_600_000_000))
    let isCalled = Locked(false)
    timers.schedule(.seconds(3_600)) { isCalled.withLock { $0 = true } }()
    await withCheckedContinuation { continuation in
      // A negative delay fires immediately, and the maximum delay does not overflow.
      _ = timers.schedule(.seconds(Int64.max)) { isCalled.withLock { $0 = true } }
      _ = timers.schedule(.seconds(-5)) { continuation.resume() }
    }
    #expect(!isCalled.withLock { $0 })
  }
}
