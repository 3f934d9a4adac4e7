internal import Dispatch

/// Any number of timers that share one Dispatch timer, which is set to the earliest deadline.
///
/// A Dispatch timer for each would need more memory than a waiting order: see the benchmark "order: each of 100,000 waiting".
final class TimerQueue: Sendable {
  private let timers: PendingTimers

  init(_ queue: DispatchQueue) {
    timers = PendingTimers(queue)
    timers.source.setEventHandler { [weak timers] in timers?.fire() }
    timers.source.activate()
  }

  deinit { timers.stop() }

  /// The number of timers, including some that were cancelled.
  var count: Int { timers.withLock { timers.heap.count } }

  func schedule(after delay: UInt64, _ callback: @escaping @Sendable () -> Void) -> ScheduledCallback {
    schedule(at: DispatchTime.now().uptimeNanoseconds &+ delay, callback)
  }

  func schedule(at deadline: UInt64, _ callback: @escaping @Sendable () -> Void) -> ScheduledCallback {
    let timer = ScheduledCallback(callback, in: timers)
    timers.withLock {
      timers.heap.insert(PendingTimer(deadline: deadline, timer: timer))
      timers.arm()
    }
    return timer
  }
}

/// A cancelling closure captures only this object.
///
/// Swift uses the object as the closure's context, without another allocation.
///
/// `@unchecked Sendable`: the lock of `timers` guards `callback`.
final class ScheduledCallback: @unchecked Sendable {
  @exclusivity(unchecked) fileprivate var callback: (@Sendable () -> Void)?
  private let timers: PendingTimers

  fileprivate init(_ callback: @escaping @Sendable () -> Void, in timers: PendingTimers) {
    (self.callback, self.timers) = (callback, timers)
  }

  func cancel() {
    let released = timers.withLock {
      defer {
        if callback != nil { timers.addCancelled() }
        callback = nil
      }
      return callback
    }
    // Released outside the lock, because the release can run any code.
    withExtendedLifetime(released) {}
  }
}

private struct PendingTimer: Comparable {
  /// The time of Dispatch's clock in nanoseconds.
  let deadline: UInt64
  let timer: ScheduledCallback

  static func < (left: PendingTimer, right: PendingTimer) -> Bool { left.deadline < right.deadline }
  static func == (left: PendingTimer, right: PendingTimer) -> Bool { left.timer === right.timer }
}

/// `@unchecked Sendable`: its lock guards all variables.
private final class PendingTimers: Lock, @unchecked Sendable {
  let source: any DispatchSourceTimer
  @exclusivity(unchecked) var heap = Heap<PendingTimer>()
  private let queue: DispatchQueue
  @exclusivity(unchecked) private var cancelledCount = 0
  /// The deadline of the source, or the maximum if it is not set.
  @exclusivity(unchecked) private var armedFor = UInt64.max

  /// The maximum number of callbacks that run one after the other on a concurrent queue.
  private static let batch = 64

  init(_ queue: DispatchQueue) {
    self.queue = queue
    source = DispatchSource.makeTimerSource(queue: queue)
    super.init()
  }

  func stop() {
    source.cancel()
    let released = withLock {
      defer { heap = Heap() }
      return heap
    }
    withExtendedLifetime(released) {}
  }

  /// Cancelled timers stay in the heap until they are due, or until they are more than half of it.
  func addCancelled() {
    cancelledCount += 1
    guard cancelledCount > 64, cancelledCount > heap.count / 2 else { return }
    heap.removeAll { $0.timer.callback == nil }
    cancelledCount = 0
  }

  func fire() {
    withLock { armedFor = .max }
    while true {
      let due = withLock {
        let due = takeDue()
        if due.isEmpty { arm() }
        return due
      }
      guard !due.isEmpty else { return }
      queue.async { for callback in due { callback() } }
    }
  }

  private func takeDue() -> [@Sendable () -> Void] {
    let now = DispatchTime.now().uptimeNanoseconds
    var due: [@Sendable () -> Void] = []
    while due.count < Self.batch, let first = heap.first, first.deadline <= now {
      heap.popFirst()
      if let callback = first.timer.callback {
        due.append(callback)
        first.timer.callback = nil
      } else {
        cancelledCount -= 1
      }
    }
    return due
  }

  func arm() {
    guard let first = heap.first, first.deadline < armedFor else { return }
    armedFor = first.deadline
    source.schedule(deadline: DispatchTime(uptimeNanoseconds: first.deadline), leeway: .nanoseconds(0))
  }
}
