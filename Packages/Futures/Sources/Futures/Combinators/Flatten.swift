extension Async where Value: AsyncType {
  public func flatten() -> Async<Value.Value> {
    let flattened = Async<Value.Value>(promised: ())
    let completer = Completer(flattened)
    relay(to: flattened) { completer.complete(with: $0) }
    return flattened
  }
}

extension Future {
  public func flatten<U>() -> Future<U, E> where T == Future<U, E> {
    flatMap(immediateExecutionContext) { $0 }
  }

  public func flatten<U>() -> Future<U, E> where T == Result<U, E> {
    flatMap(immediateExecutionContext) { $0 }
  }
}
