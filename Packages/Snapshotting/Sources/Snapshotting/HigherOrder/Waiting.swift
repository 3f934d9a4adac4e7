public import Foundation
internal import Isolation
internal import Parallel

extension Snapshotting {
  /// A strategy that waits before it takes the snapshot, while an animation ends or a page settles.
  ///
  /// - Parameters:
  ///   - duration: How many seconds to wait, at most a year. The assertion waits that much longer.
  ///   - strategy: What takes the snapshot then.
  ///
  /// ```swift
  /// assertSnapshot(of: controller, as: .waiting(for: 1, on: .image))
  /// ```
  ///
  /// A snapshot that was begun on the main thread is taken there. One that was begun elsewhere is taken on the cooperative
  /// pool, so a value that belongs to any other actor is read by closures of that actor only.
  ///
  /// Source: *Higher-Order Snapshot Testing*.
  public static func waiting(for duration: TimeInterval, on strategy: Snapshotting) -> Snapshotting {
    waiting(for: Duration(timeout: duration), on: strategy, clock: ContinuousClock())
  }

  /// A strategy that waits on a clock before it takes the snapshot; a test clock makes the wait take no time.
  ///
  /// As ``waiting(for:on:)``.
  ///
  /// - Parameters:
  ///   - duration: How long to wait. The assertion waits that much longer.
  ///   - strategy: What takes the snapshot then.
  ///   - clock: Whose time it is.
  public static func waiting<C: Clock>(
    for duration: Duration, on strategy: Snapshotting, clock: C
  ) -> Snapshotting where C.Duration == Duration {
    var waiting = strategy
    waiting.capture = { [capture = strategy.capture] value, context in
      let value = UnsafeTransfer(value)
      return Parallel { callback in
        context.extendDeadline(by: duration)
        pause(for: duration, on: clock) { capture(value.value, context).run(callback) }
      }
    }
    return waiting
  }

  /// A strategy that waits before it takes the snapshot, as swift-snapshot-testing spells it.
  ///
  /// The same as ``waiting(for:on:)``.
  public static func wait(for duration: TimeInterval, on strategy: Snapshotting) -> Snapshotting {
    waiting(for: duration, on: strategy)
  }
}

/// Goes on after a while: on the main queue when called on the main thread, else on the cooperative pool.
func pause<C: Clock>(
  for duration: Duration, on clock: C, _ body: @escaping @Sendable () -> Void
) where C.Duration == Duration {
  let isOnMain = isMainThread()
  Parallel(value: ()).delay(for: duration, on: clock).run { _ in
    if isOnMain { MainThreadWork.shared.add(body) } else { body() }
  }
}

extension Duration {
  /// Creates a duration from a number of seconds between zero and a year; values that are not finite become a year.
  package init(timeout: TimeInterval) {
    self = timeout.isFinite && timeout < 31_536_000 ? .seconds(max(0, timeout)) : .seconds(31_536_000)
  }
}
