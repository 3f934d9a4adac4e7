public import Dispatch

extension Future {
  /// A future with the same result, completed later by a duration, on a clock that is handed in.
  ///
  /// It is asynchronous also when the duration is 0. Cancelling it ends the delay.
  ///
  /// - Parameters:
  ///   - duration: How long to wait after the result is there.
  ///   - clock: Whose time it is; a test hands in a manual clock.
  public func delay<C: Clock>(for duration: C.Duration, on clock: C) -> Future<T, E> {
    derived((), in: immediateExecutionContext) { _, result, _ in
      .follow(
        alarm(after: duration, on: clock).derived((), in: immediateExecutionContext) { _, _, _ in .complete(result) })
    }
  }

  /// A future with the same result, completed later by a duration of real time.
  ///
  /// As ``delay(for:on:)``.
  ///
  /// - Parameter duration: How long to wait after the result is there.
  public func delay(for duration: Duration) -> Future<T, E> { delay(for: duration, on: ContinuousClock()) }

  /// A future with the same result, completed later by an interval of the system's time.
  ///
  /// It is asynchronous also when the interval is 0; with `never` it does not complete. Prefer ``delay(for:on:)``, which a
  /// test can drive.
  public func delay(_ interval: DispatchTimeInterval) -> Future<T, E> {
    guard let duration = Duration(interval) else { return Future() }
    return delay(for: duration)
  }

  /// Creates a future that succeeds after an interval of the system's time.
  public convenience init(value: T, delay: DispatchTimeInterval) {
    self.init(result: .success(value), delay: delay)
  }

  /// Creates a future that fails after an interval of the system's time.
  public convenience init(error: E, delay: DispatchTimeInterval) {
    self.init(result: .failure(error), delay: delay)
  }

  /// Creates a future that completes after an interval of the system's time; with `never` it does not.
  public convenience init(result: Result<T, E>, delay: DispatchTimeInterval) {
    self.init(other: Future(result: result).delay(delay))
  }
}

/// A future that completes when a time has come, or at once when it is cancelled; it tells whether the time has come.
func alarm<C: Clock>(after duration: C.Duration, on clock: C) -> Future<Bool, Never> {
  let deadline = clock.now.advanced(by: (duration as? Duration)?.sleepable as? C.Duration ?? duration)
  return Future { (try? await clock.sleep(until: deadline, tolerance: nil)) != nil }
}

extension Duration {
  /// This, or a hundred years if that is less: the system's clocks stop the program when they are to sleep for much longer.
  package var sleepable: Duration { min(self, .seconds(3_155_760_000)) }

  /// The length of an interval of Dispatch's, or `nil` when that has no end.
  init?(_ interval: DispatchTimeInterval) {
    switch interval {
    case .seconds(let count): self = .seconds(count)
    case .milliseconds(let count): self = .milliseconds(count)
    case .microseconds(let count): self = .microseconds(count)
    case .nanoseconds(let count): self = .nanoseconds(count)
    case .never: return nil
    @unknown default: return nil
    }
  }
}
