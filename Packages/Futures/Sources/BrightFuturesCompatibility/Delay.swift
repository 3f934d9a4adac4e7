public import Dispatch
internal import Isolation

extension Future {
  /// Returns a future with the same result, completed on a queue when an interval has passed after the completion of this one.
  ///
  /// It is always asynchronous, and does not complete when the interval is `never`. Cancelling it ends the delay.
  public func delay(_ queue: DispatchQueue, interval: DispatchTimeInterval) -> Future<T, E> {
    guard let duration = Duration(interval) else { return Future() }
    return delay(for: duration).andThen(context: queue.context) { _ in }
  }

  /// Delays on the main queue if it is called on the main thread, and otherwise on a global queue.
  public func delay(_ interval: DispatchTimeInterval) -> Future<T, E> {
    delay(isMainThread() ? .main : .global(), interval: interval)
  }

  public init(result: Result<T, E>, delay: DispatchTimeInterval) {
    self.init { complete in DispatchQueue.global().asyncAfter(deadline: .now() + delay) { complete(result) } }
  }

  public init(value: T, delay: DispatchTimeInterval) {
    self.init(result: .success(value), delay: delay)
  }

  public init(error: E, delay: DispatchTimeInterval) {
    self.init(result: .failure(error), delay: delay)
  }
}

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
