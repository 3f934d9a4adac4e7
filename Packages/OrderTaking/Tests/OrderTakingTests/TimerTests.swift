import Dispatch
import Foundation
import ParallelTesting
import TestSupport
import Testing

@testable import OrderTaking

/// The time since the machine started, including sleep.
private func timeSinceBoot() -> Duration {
  #if canImport(Darwin)
    let clock = CLOCK_MONOTONIC
  #else
    let clock = CLOCK_BOOTTIME
  #endif
  var time = timespec()
  clock_gettime(clock, &time)
  return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
}

@Suite("Timers on a Dispatch queue") struct TimerTests {
  @Test("timers fire once each, in the order of their deadlines") func order() async {
    let queue = DispatchQueue(label: "timers")
    let timers = TimerQueue(queue)
    let log = Locked<[Int]>([])
    let start = DispatchTime.now().uptimeNanoseconds
    await withCheckedContinuation { continuation in
      // Suspended until all timers are scheduled.
      queue.suspend()
      for place in [5, 1, 4, 2, 3, 0, 6] {
        _ = timers.schedule(at: start + UInt64(place)) {
          log.withLock { $0.append(place) }
          if place == 6 { continuation.resume() }
        }
      }
      queue.resume()
    }
    #expect(log.withLock { $0 } == Array(0...6))
    #expect(timers.count == 0)
  }

  @Test("a timer does not fire before its deadline", arguments: [0, 1, 3] as [UInt64]) func time(milliseconds: UInt64)
    async
  {
    let timers = TimerQueue(.global())
    let deadline = DispatchTime.now().uptimeNanoseconds + milliseconds * 1_000_000
    let calledAt = await withCheckedContinuation { continuation in
      _ = timers.schedule(at: deadline) { continuation.resume(returning: DispatchTime.now().uptimeNanoseconds) }
    }
    #expect(calledAt >= deadline)
  }

  @Test("a callback can schedule and cancel timers, and a late or second cancellation does nothing") func inside() async
  {
    let timers = TimerQueue(DispatchQueue(label: "timers"))
    let calls = Locked(0)
    await withCheckedContinuation { continuation in
      _ = timers.schedule(after: 0) {
        let never = timers.schedule(after: 0) { calls.withLock { $0 += 1 } }
        never.cancel()
        never.cancel()
        _ = timers.schedule(after: 0) {
          never.cancel()
          _ = timers.schedule(after: 1_000_000) { continuation.resume() }
          never.cancel()
        }
      }
    }
    #expect(calls.withLock { $0 } == 0)
  }

  @Test("cancelled timers are removed from the queue") func cancelled() {
    let timers = TimerQueue(.global())
    let waiting = (0..<100).map { _ in timers.schedule(after: 3_600_000_000_000) {} }
    for _ in 0..<10_000 { timers.schedule(after: 3_600_000_000_000) {}.cancel() }
    #expect(timers.count <= 300)
    for timer in waiting { timer.cancel() }
    #expect(timers.count <= 65)
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
      let timer = timers?.schedule(after: 3_600_000_000_000) { _ = first }
      _ = timers?.schedule(after: 3_600_000_000_000) { _ = second }
      timer?.cancel()
    }
    #expect(cancelled == nil && waiting != nil)
    timers = nil
    #expect(waiting == nil)
  }

  @Test("of timers from many threads, all fire except the cancelled ones")
  func many() async {
    let timers = TimerQueue(.global())
    let calls = Log<Int>()
    let cancelled = Locked<Set<Int>>([])
    await hammer(threads: 4) { thread, _ in
      for index in 0..<2_000 {
        let number = thread * 2_000 + index
        let isCancelled = index % 5 == 0
        let timer = timers.schedule(after: isCancelled ? 3_600_000_000_000 : UInt64(index % 7) * 100_000) {
          calls.append(number)
        }
        if isCancelled {
          cancelled.withLock { _ = $0.insert(number) }
          timer.cancel()
        }
      }
    }
    let called = await calls.first(6_400)
    #expect(Set(called) == Set(0..<8_000).subtracting(cancelled.withLock { $0 }) && calls.count == 6_400)
  }

  @Test("a heap returns its elements in their order, also after removals") func heap() throws {
    try checkProperty("a heap sorts", .array(of: .int(in: 0...1_000)), .int(in: 1...5)) { numbers, part in
      var heap = Heap<Int>()
      for number in numbers { heap.insert(number) }
      heap.removeAll { $0 % part == 1 }
      var out: [Int] = []
      while let first = heap.popFirst() { out.append(first) }
      return out == numbers.filter { $0 % part != 1 }.sorted()
    }
  }

  @Test("the default timers use the system's clock, and accept delays of any length") func live() async {
    let timers = Timers.dispatch()
    #expect(timers.now().sinceEpoch > .seconds(1_600_000_000))
    // The clocks with and without sleep differ only on a machine that has slept.
    let before = timeSinceBoot()
    let now = timers.now().sinceBoot
    #expect(before <= now && now <= timeSinceBoot())
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
