// An import of Futures alone must suffice to catch the errors of its futures.
@_exported public import struct Isolation.TimeoutError

extension FutureCore {
  fileprivate func fail<C: Clock<Duration>>(after limit: Duration, on clock: C, with error: @escaping @Sendable () -> E)
  {
    link(deadline: clock.now.advanced(by: limit.sleepable), on: clock, to: self, isNeededWhileHeld: true) { core in
      core.tryComplete(.failure(error()))
    }
  }
}

extension Future {
  /// Returns a future with the same result, which is completed later by a duration.
  ///
  /// The completion is asynchronous, on Swift's cooperative pool, even if the duration is 0. Cancelling the future ends the delay; without
  /// a cancellation value, the future then has the result at once. <doc:Cancellation> describes a delay without listeners.
  public func delay<C: Clock>(for duration: C.Duration, on clock: C) -> Future<T, E> {
    derived(in: immediateExecutionContext) { source, target in
      let deadline = clock.now.advanced(by: duration.sleepable)
      link(deadline: deadline, on: clock, to: target, isNeededWhileHeld: false) { target in
        target.tryComplete(source.completedResult)
      }
    }
  }

  /// Returns a future with the same result, which is completed later by a duration of real time.
  ///
  /// Like ``delay(for:on:)`` with a `ContinuousClock`.
  public func delay(for duration: Duration) -> Future<T, E> { delay(for: duration, on: ContinuousClock()) }

  /// Returns a future with the same result, which fails after a time limit from now.
  ///
  /// After the time limit, the new future fails on Swift's cooperative pool and leaves this one: work without another listener is stopped.
  /// A result in time is passed on by the thread that completes this future. <doc:Cancellation> describes the timer of a cancelled future.
  ///
  /// ```swift
  /// bird.timeout(after: .seconds(2), failingWith: .tooSlow).onFailure { report($0) }
  /// ```
  public func timeout(
    after limit: Duration, on clock: any Clock<Duration> = ContinuousClock(),
    failingWith error: @autoclosure @escaping @Sendable () -> E
  ) -> Future<T, E> {
    if isCompleted { return self }
    return Future(stopsSources: true) { limited in
      link(core, to: limited) { source, limited in limited.tryComplete(source.completedResult) }
      limited.fail(after: limit, on: clock, with: error)
    }
  }

  /// Returns a future with the same result, which fails with a `TimeoutError` after a time limit.
  public func timeout(
    after limit: Duration, on clock: any Clock<Duration> = ContinuousClock()
  ) -> Future<T, any Error> where E == any Error {
    timeout(after: limit, on: clock, failingWith: TimeoutError(limit: limit))
  }

  /// Returns a future with the same value, which fails with a `TimeoutError` after a time limit.
  public func timeout(
    after limit: Duration, on clock: any Clock<Duration> = ContinuousClock()
  ) -> Future<T, TimeoutError> where E == Never {
    promoteError().timeout(after: limit, on: clock, failingWith: TimeoutError(limit: limit))
  }
}

/// Lets a target wait until a deadline, and then calls a step; while everyone has left the target, no timer runs.
///
/// - Parameter isNeededWhileHeld: Whether the timer of a cancelled target continues while the target has listeners. Otherwise the step
///   is called at the cancellation.
func link<T, E, C: Clock>(
  deadline: C.Instant, on clock: C, to target: FutureCore<T, E>, isNeededWhileHeld: Bool,
  step: @escaping @Sendable (FutureCore<T, E>) -> Void
) {
  let alarm = Future<Bool, Never> {
    // A clock that fails for another reason than a cancellation counts as having reached the deadline.
    (try? await clock.sleep(until: deadline, tolerance: nil)) != nil || !Task.isCancelled
  }
  link(alarm.core, to: target, isNeededWhileHeld: isNeededWhileHeld) { alarm, target in
    if alarm.completedResult.get() || !isNeededWhileHeld && target.demand == .ended {
      step(target)
    } else {
      // A new listener waits for a target that everyone had left.
      link(deadline: deadline, on: clock, to: target, isNeededWhileHeld: isNeededWhileHeld, step: step)
    }
  }
}
