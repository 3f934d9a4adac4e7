public import Dispatch
internal import Isolation

extension AsyncType {
  /// Returns an async with the same value, completed on a queue when an interval has passed after the completion of
  /// this one.
  ///
  /// It is asynchronous also when the interval is 0. With `never` it does not complete.
  @_disfavoredOverload
  public func delay(_ queue: DispatchQueue, interval: DispatchTimeInterval) -> Self {
    Self { complete in
      onComplete(immediateExecutionContext) { value in
        queue.asyncAfter(deadline: .now() + interval) { complete(value) }
      }
    }
  }

  /// Delays on the main queue if it is called on the main thread, and otherwise on a global queue.
  @_disfavoredOverload
  public func delay(_ interval: DispatchTimeInterval) -> Self { delay(defaultQueue(), interval: interval) }

  @_disfavoredOverload
  public init(result: Value, delay: DispatchTimeInterval) {
    self.init { complete in DispatchQueue.global().asyncAfter(deadline: .now() + delay) { complete(result) } }
  }
}

extension Future {
  /// Returns a future with the same result, completed on a queue when an interval has passed after the completion of
  /// this one.
  ///
  /// Cancelling it ends the delay.
  public func delay(_ queue: DispatchQueue, interval: DispatchTimeInterval) -> Future<T, E> {
    guard let duration = Duration(interval) else { return Future() }
    return delay(for: duration).andThen(context: queue.context) { _ in }
  }

  public func delay(_ interval: DispatchTimeInterval) -> Future<T, E> { delay(defaultQueue(), interval: interval) }

  public convenience init(value: T, delay: DispatchTimeInterval) {
    self.init(result: .success(value), delay: delay)
  }

  public convenience init(error: E, delay: DispatchTimeInterval) {
    self.init(result: .failure(error), delay: delay)
  }
}

private func defaultQueue() -> DispatchQueue { isMainThread() ? .main : .global() }

extension Duration {
  fileprivate init?(_ interval: DispatchTimeInterval) {
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
