public import Foundation
internal import Isolation
internal import Parallel

extension Snapshotting {
  /// Returns a strategy that waits before it takes the snapshot, for example for the end of an animation.
  ///
  /// The wait is in seconds, at most a year, and extends the deadline of the assertion.
  ///
  /// ```swift
  /// assertSnapshot(of: controller, as: .waiting(for: 1, on: .image))
  /// ```
  ///
  /// A snapshot that starts on the main thread is taken there. Otherwise it is taken on the cooperative pool. There,
  /// only closures with the isolation of an actor can read its values.
  ///
  /// Source: *Higher-Order Snapshot Testing* (Point-Free, 2019).
  public static func waiting(for duration: TimeInterval, on strategy: Snapshotting) -> Snapshotting {
    waiting(for: Duration(timeout: duration), on: strategy, clock: ContinuousClock())
  }

  /// Returns a strategy that waits on a clock before it takes the snapshot, for example on a manual clock.
  ///
  /// Like ``waiting(for:on:)``.
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

  /// Returns a strategy that waits before it takes the snapshot, with the name in swift-snapshot-testing.
  ///
  /// The same as ``waiting(for:on:)``.
  public static func wait(for duration: TimeInterval, on strategy: Snapshotting) -> Snapshotting {
    waiting(for: duration, on: strategy)
  }
}

/// Calls a closure after a pause: on the main queue if the caller is on the main thread, otherwise on the cooperative pool.
func pause<C: Clock>(
  for duration: Duration, on clock: C, _ body: @escaping @Sendable () -> Void
) where C.Duration == Duration {
  let isOnMain = isMainThread()
  Parallel(value: ()).delay(for: duration, on: clock).run { _ in
    if isOnMain { MainThreadWork.shared.add(body) } else { body() }
  }
}

extension Duration {
  /// Creates a duration from a number of seconds between zero and a year; infinity becomes a year, and `nan` zero.
  package init(timeout: TimeInterval) {
    self = timeout < 31_536_000 ? .seconds(max(0, timeout)) : timeout.isNaN ? .zero : .seconds(31_536_000)
  }
}
