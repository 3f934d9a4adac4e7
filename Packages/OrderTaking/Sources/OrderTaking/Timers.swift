public import Dispatch

/// The timers and the clock of a taker, as a struct of closures.
public struct Timers: Sendable {
  /// Calls back once after a time, on any thread, unless the returned function is called first.
  ///
  /// The callback must not run before this returns on the same thread.
  public var schedule: @Sendable (Duration, _ callback: @escaping @Sendable () -> Void) -> @Sendable () -> Void

  public var now: @Sendable () -> Moment

  public init(
    schedule: @escaping @Sendable (Duration, _ callback: @escaping @Sendable () -> Void) -> @Sendable () -> Void,
    now: @escaping @Sendable () -> Moment
  ) {
    self.schedule = schedule
    self.now = now
  }

  /// Returns timers on a Dispatch queue, and the system's clock.
  ///
  /// The callbacks run one after the other. Timers stop while the machine sleeps, so an operation compares its deadline with the time
  /// before each request.
  public static func dispatch(on queue: DispatchQueue = .global()) -> Timers {
    let timers = TimerQueue(queue)
    return Timers(schedule: { timers.schedule(after: $0, $1) }, now: { .current })
  }
}

/// Any number of timers that share one Dispatch timer, which is set to the earliest time.
///
/// A Dispatch timer for each would need more memory than a waiting order. Timers of the same millisecond share a dictionary, so that
/// few times are sorted.
final class TimerQueue: Sendable {
  private struct State {
    /// The callbacks by their time in milliseconds of Dispatch's clock, and by their number.
    var callbacks: [UInt64: [UInt64: @Sendable () -> Void]] = [:]
    /// The keys of `callbacks`, sorted.
    var times: [UInt64] = []
    var lastNumber: UInt64 = 0
    /// The time of the Dispatch timer, or the maximum if it is not set.
    var armedFor = UInt64.max
  }

  // A Dispatch source may be used from any thread.
  nonisolated(unsafe) private let timer: any DispatchSourceTimer
  private let state = Locked(State())

  init(_ queue: DispatchQueue) {
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { [weak self] in self?.fire() }
    timer.activate()
  }

  deinit { timer.cancel() }

  /// Returns a function that cancels the timer.
  func schedule(after delay: Duration, _ callback: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    // At most a century, so that a time cannot overflow.
    let delay = UInt64(max(0, min(delay, .seconds(3_155_760_000 as Int64)).wholeNanoseconds))
    // Rounded up, so that it does not fire early.
    let time = (DispatchTime.now().uptimeNanoseconds + delay + 999_999) / 1_000_000
    let number = state.withLock { state in
      state.lastNumber += 1
      if state.callbacks[time] == nil { state.times.insert(time, at: state.times.sortedIndex(of: time)) }
      state.callbacks[time, default: [:]][state.lastNumber] = callback
      arm(&state)
      return state.lastNumber
    }
    // The callback is released outside the lock, because the release can run any code.
    return { withExtendedLifetime(self.remove(number, at: time)) {} }
  }

  private func remove(_ number: UInt64, at time: UInt64) -> (@Sendable () -> Void)? {
    state.withLock { state in
      let callback = state.callbacks[time]?.removeValue(forKey: number)
      if callback != nil, state.callbacks[time]?.isEmpty == true {
        state.callbacks[time] = nil
        state.times.remove(at: state.times.sortedIndex(of: time))
      }
      return callback
    }
  }

  private func fire() {
    state.withLock { $0.armedFor = .max }
    while let (time, numbers) = nextDue() {
      for number in numbers { remove(number, at: time)?() }
    }
  }

  /// Returns the numbers of the first due timers, or sets the Dispatch timer if none is due.
  private func nextDue() -> (time: UInt64, numbers: [UInt64])? {
    state.withLock { state in
      guard let time = state.times.first, time <= DispatchTime.now().uptimeNanoseconds / 1_000_000 else {
        arm(&state)
        return nil
      }
      return (time, (state.callbacks[time] ?? [:]).keys.sorted())
    }
  }

  private func arm(_ state: inout State) {
    guard let first = state.times.first, first < state.armedFor else { return }
    state.armedFor = first
    timer.schedule(deadline: DispatchTime(uptimeNanoseconds: first * 1_000_000), leeway: .nanoseconds(0))
  }
}

extension Array where Element: Comparable {
  /// Returns the index of the first element that is not less than a value, in a sorted array.
  fileprivate func sortedIndex(of value: Element) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
