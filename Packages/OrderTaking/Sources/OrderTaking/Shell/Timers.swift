public import Dispatch

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What tells a taker that time has passed, as a struct of closures.
public struct Timers: Sendable {
  /// Calls back once after a time, on any thread, unless the function that it returns is called first.
  ///
  /// The callback must not run before this has returned.
  public var schedule: @Sendable (Duration, _ callback: @escaping @Sendable () -> Void) -> @Sendable () -> Void

  /// The time since 1970, as the journal notes it.
  public var now: @Sendable () -> Duration

  /// Creates timers from what they do.
  public init(
    schedule: @escaping @Sendable (Duration, _ callback: @escaping @Sendable () -> Void) -> @Sendable () -> Void,
    now: @escaping @Sendable () -> Duration
  ) {
    self.schedule = schedule
    self.now = now
  }

  /// Timers of a Dispatch queue, and the system's clock.
  public static func dispatch(on queue: DispatchQueue = .global()) -> Timers {
    Timers(
      schedule: { delay, callback in
        let item = DispatchWorkItem(block: callback)
        queue.asyncAfter(deadline: .now() + .nanoseconds(delay.clampedNanoseconds), execute: item)
        let cancel = UncheckedItem(item)
        return { cancel.item.cancel() }
      },
      now: {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
      })
  }
}

/// `@unchecked Sendable`: `cancel()` of a work item may be called from any thread, and nothing else is.
private struct UncheckedItem: @unchecked Sendable {
  let item: DispatchWorkItem
  init(_ item: DispatchWorkItem) { self.item = item }
}

extension Duration {
  /// The time in nanoseconds, at most a century, so that a deadline never overflows.
  fileprivate var clampedNanoseconds: Int {
    let (seconds, attoseconds) = min(max(self, .zero), .seconds(3_155_760_000)).components
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }
}
