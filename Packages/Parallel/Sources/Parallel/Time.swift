extension Parallel {
  /// A parallel whose value arrives later by a duration.
  ///
  /// - Parameters:
  ///   - duration: How long to wait after the value is there, before calling back.
  ///   - clock: Whose time it is; a test hands in a manual clock. The value arrives on the cooperative pool.
  ///
  /// ```swift
  /// Parallel(value: "later").delay(for: .seconds(1)).run { print($0) }
  /// ```
  public func delay<C: Clock>(for duration: C.Duration, on clock: C) -> Parallel {
    Parallel(starting: { receiver in
      start { value in
        let parcel = Parcel(value)
        let deadline = clock.now.advanced(by: duration)
        Task {
          // Nobody cancels this task; a clock that fails all the same must not swallow the value.
          try? await clock.sleep(until: deadline, tolerance: nil)
          receiver.deliver(parcel.take())
        }
      }
    })
  }

  /// A parallel whose value arrives later by a duration of real time.
  ///
  /// As ``delay(for:on:)``.
  ///
  /// - Parameter duration: How long to wait after the value is there, before calling back.
  public func delay(for duration: Duration) -> Parallel { delay(for: duration, on: ContinuousClock()) }

  /// A parallel that answers with an error when the value has not arrived in time.
  ///
  /// The work is not stopped, since a `Parallel` has no way to be: its value is dropped when it comes too late.
  ///
  /// - Parameters:
  ///   - duration: How long a run may take, from its start.
  ///   - clock: Whose time it is, real time when left out; a test hands in a manual clock.
  /// - Returns: A parallel of the value, or of a ``TimeoutError``.
  ///
  /// ```swift
  /// page.timeout(after: .seconds(5)).run { result in print(result) }
  /// ```
  public func timeout<C: Clock>(
    after duration: Duration, on clock: C = ContinuousClock()
  ) -> Parallel<Result<Value, TimeoutError>> where C.Duration == Duration {
    Parallel<Result<Value, TimeoutError>>(starting: { receiver in
      let finish = FinishLine(receiver)
      let deadline = clock.now.advanced(by: duration)
      let alarm = Task {
        guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
        finish.pass(with: .failure(TimeoutError(limit: duration)))
      }
      start { value in
        alarm.cancel()
        finish.pass(with: .success(value))
      }
    })
  }
}
