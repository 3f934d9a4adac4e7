public import Futures
public import Parallel

extension Future {
  /// Runs a parallel and creates a future of its value.
  ///
  /// The parallel starts before this returns, and runs once for all listeners.
  @_disfavoredOverload  // for a parallel of a result, which would match here too
  public init(_ parallel: Parallel<T>) where E == Never {
    self.init { complete in parallel.run { complete(.success($0)) } }
  }

  /// Runs a parallel of a result and creates a future of that result.
  public init(_ parallel: Parallel<Result<T, E>>) {
    self.init { complete in parallel.run { complete($0) } }
  }
}

extension AsyncType {
  /// The value as a `Parallel`: each run calls back with this async's value when it is available.
  ///
  /// The value of a `Future` is its result. The callback runs on the thread that completes this async, or before the
  /// run returns if the async is completed. Each run is a listener that never leaves.
  public var parallel: Parallel<Value> {
    Parallel { callback in self.onComplete(immediateExecutionContext) { callback($0) } }
  }
}
