public import Dispatch

extension Future {
  /// A future with the same result, completed later by a duration, on a clock that is handed in.
  ///
  /// - Parameters:
  ///   - duration: How long to wait after the result is there.
  ///   - clock: Whose time it is; a test hands in a manual clock.
  public func delay<C: Clock>(for duration: C.Duration, on clock: C) -> Future<T, E> {
    let promise = Promise<T, E>()
    onComplete(immediateExecutionContext) { result in
      let deadline = clock.now.advanced(by: duration)
      Task {
        try? await clock.sleep(until: deadline, tolerance: nil)
        promise.complete(result)
      }
    }
    return promise.future
  }

  /// A future with the same result, completed later by an interval of the system's time.
  ///
  /// It is asynchronous also when the interval is 0. Prefer ``delay(for:on:)``, which a test can drive.
  public func delay(_ interval: DispatchTimeInterval) -> Future<T, E> {
    let promise = Promise<T, E>()
    onComplete(immediateExecutionContext) { result in
      DispatchQueue.global().asyncAfter(deadline: .now() + interval) { promise.complete(result) }
    }
    return promise.future
  }

  /// Creates a future that succeeds after an interval of the system's time.
  public convenience init(value: T, delay: DispatchTimeInterval) {
    self.init(result: .success(value), delay: delay)
  }

  /// Creates a future that fails after an interval of the system's time.
  public convenience init(error: E, delay: DispatchTimeInterval) {
    self.init(result: .failure(error), delay: delay)
  }

  /// Creates a future that completes after an interval of the system's time.
  public convenience init(result: Result<T, E>, delay: DispatchTimeInterval) {
    self.init { complete in
      DispatchQueue.global().asyncAfter(deadline: .now() + delay) { complete(result) }
    }
  }
}
