// The state and the callbacks of a future, for any async of a result. They are disfavoured: a future has its own, which are cheaper.
// Operators such as `map` need a future: `Future(other: async).map { … }`. Each operator for all asyncs doubles the time that the
// compiler needs for a chain of futures.

extension AsyncType where Value: ResultProtocol {
  @_disfavoredOverload
  public var isSuccess: Bool { value != nil }

  @_disfavoredOverload
  public var isFailure: Bool { error != nil }

  @_disfavoredOverload
  public var value: Value.Value? { result?.result.value }

  @_disfavoredOverload
  public var error: Value.Error? { result?.result.error }

  @_disfavoredOverload
  @preconcurrency
  @discardableResult
  public func onSuccess(
    _ context: @escaping ExecutionContext = defaultContext(), callback: @escaping @Sendable (Value.Value) -> Void
  ) -> Self {
    onComplete(context) { value in value.result.analysis(ifSuccess: callback, ifFailure: { _ in }) }
  }

  @_disfavoredOverload
  @preconcurrency
  @discardableResult
  public func onFailure(
    _ context: @escaping ExecutionContext = defaultContext(), callback: @escaping @Sendable (Value.Error) -> Void
  ) -> Self {
    onComplete(context) { value in value.result.analysis(ifSuccess: { _ in }, ifFailure: callback) }
  }
}

extension AsyncType where Value: ResultProtocol, Value.Value: Sendable {
  var future: Future<Value.Value, Value.Error> {
    if let future = self as? Future<Value.Value, Value.Error> { return future }
    if let async = self as? Async<Result<Value.Value, Value.Error>> { return Future(other: async) }
    return Future { complete in onComplete(immediateExecutionContext) { complete($0.result) } }
  }
}
