extension Async where Value: AsyncType {
  /// An async of the value of the async that is this one's value.
  public func flatten() -> Async<Value.Value> {
    Async<Value.Value> { complete in
      onComplete(immediateExecutionContext) { inner in
        inner.onComplete(immediateExecutionContext, callback: complete)
      }
    }
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
