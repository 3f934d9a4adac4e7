extension Async where Value: AsyncType {
  /// Returns an async with the value of the async inside this one.
  public func flatten() -> Async<Value.Value> {
    let flattened = Async<Value.Value>(promised: ())
    let completer = Completer(flattened)
    relay(to: flattened) { completer.complete(with: $0) }
    return flattened
  }
}

extension Future {
  /// Returns a future with the result of the future inside this one.
  public func flatten<U>() -> Future<U, E> where T == Future<U, E> {
    flatMap(immediateExecutionContext) { $0 }
  }

  /// Returns a future of the result inside this one.
  public func flatten<U>() -> Future<U, E> where T == Result<U, E> {
    flatMap(immediateExecutionContext) { $0 }
  }
}
