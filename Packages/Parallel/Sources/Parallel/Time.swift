// An import of Parallel alone must suffice to handle the error of a timeout.
@_exported public import struct Isolation.TimeoutError
public import Isolation

extension Parallel {
  /// Returns a parallel whose value arrives later by a duration, on Swift's cooperative pool.
  ///
  /// ```swift
  /// Parallel(value: "later").delay(for: .seconds(1)).run { print($0) }
  /// ```
  public func delay<C: Clock>(for duration: C.Duration, on clock: C) -> Parallel {
    Parallel(
      Stage { next in
        start { value in
          let parcel = Parcel(value)
          let deadline = clock.now.advanced(by: duration.sleepable)
          Task {
            // This task is never cancelled. If the clock fails nevertheless, the value is still delivered.
            try? await clock.sleep(until: deadline, tolerance: nil)
            next.call(parcel.take())
          }
        }
      })
  }

  /// Returns a parallel whose value arrives later by a duration of real time.
  ///
  /// Like ``delay(for:on:)`` with a `ContinuousClock`.
  public func delay(for duration: Duration) -> Parallel { delay(for: duration, on: ContinuousClock()) }

  /// Returns a parallel that calls back with an error if the value has not arrived within a time limit from the start
  /// of the run.
  ///
  /// ```swift
  /// page.timeout(after: .seconds(5)).run { result in print(result) }
  /// ```
  ///
  /// The error arrives on Swift's cooperative pool, and a value in time on the thread of the callback. The work continues after the time
  /// limit, and its late value is dropped.
  public func timeout<C: Clock>(
    after duration: Duration, on clock: C = ContinuousClock()
  ) -> Parallel<Result<Value, TimeoutError>> where C.Duration == Duration {
    Parallel<Result<Value, TimeoutError>>(
      Stage { next in
        let first = Once(next)
        let deadline = clock.now.advanced(by: duration.sleepable)
        let alarm = Task {
          guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
          first.take()?.call(.failure(TimeoutError(limit: duration)))
        }
        start { value in
          alarm.cancel()
          first.take()?.call(.success(value))
        }
      })
  }
}
