extension Async where Value: AsyncType {
  /// An async of the value of the async that is this one's value.
  public func flatten() -> Async<Value.Value> {
    let flattened = Async<Value.Value>(promised: ())
    let completer = Completer(flattened)
    relay(to: flattened) { inner in
      if let inner = inner as? Async<Value.Value> {
        inner.relay(to: flattened) { completer.complete($0) }
      } else {
        inner.onComplete(immediateExecutionContext) { completer.complete($0) }
      }
    }
    return flattened
  }
}

extension Future {
  /// A future that goes on with the one that is this one's value.
  public func flatten<U>() -> Future<U, E> where T == Future<U, E> {
    flatMap(immediateExecutionContext) { $0 }
  }

  /// A future of the result that is this one's value.
  public func flatten<U>() -> Future<U, E> where T == Result<U, E> {
    flatMap(immediateExecutionContext) { $0 }
  }
}
