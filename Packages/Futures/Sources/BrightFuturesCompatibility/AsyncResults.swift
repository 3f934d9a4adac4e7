// The operations of a future, for any async of a result. They are disfavoured: a future has its own, which are cheaper.

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

  /// Returns a future of the transformed success, in the default context.
  @_disfavoredOverload
  @preconcurrency
  public func map<U>(_ f: @escaping @Sendable (Value.Value) -> U) -> Future<U, Value.Error> {
    future.map(defaultContext(), f: f)
  }

  @_disfavoredOverload
  @preconcurrency
  public func map<U>(
    _ context: @escaping ExecutionContext, f: @escaping @Sendable (Value.Value) -> U
  ) -> Future<U, Value.Error> {
    future.map(context, f: f)
  }

  /// Continues with another future, made from the success in the default context.
  @_disfavoredOverload
  @preconcurrency
  public func flatMap<U>(
    _ f: @escaping @Sendable (Value.Value) -> Future<U, Value.Error>
  ) -> Future<U, Value.Error> {
    future.flatMap(defaultContext(), f: f)
  }

  @_disfavoredOverload
  @preconcurrency
  public func flatMap<U>(
    _ context: @escaping ExecutionContext, f: @escaping @Sendable (Value.Value) -> Future<U, Value.Error>
  ) -> Future<U, Value.Error> {
    future.flatMap(context, f: f)
  }

  /// Returns a future of the result that is made from the success in the default context.
  @_disfavoredOverload
  @preconcurrency
  public func flatMap<U>(
    _ f: @escaping @Sendable (Value.Value) -> Result<U, Value.Error>
  ) -> Future<U, Value.Error> {
    future.flatMap(defaultContext(), f: f)
  }

  @_disfavoredOverload
  @preconcurrency
  public func flatMap<U>(
    _ context: @escaping ExecutionContext, f: @escaping @Sendable (Value.Value) -> Result<U, Value.Error>
  ) -> Future<U, Value.Error> {
    future.flatMap(context, f: f)
  }

  @_disfavoredOverload
  @preconcurrency
  public func recover(
    context: @escaping ExecutionContext = defaultContext(), task: @escaping @Sendable (Value.Error) -> Value.Value
  ) -> Future<Value.Value, Never> {
    future.recover(context: context, task: task)
  }

  @_disfavoredOverload
  @preconcurrency
  public func recoverWith<E1>(
    context: @escaping ExecutionContext = defaultContext(),
    task: @escaping @Sendable (Value.Error) -> Future<Value.Value, E1>
  ) -> Future<Value.Value, E1> {
    future.recoverWith(context: context, task: task)
  }

  /// Returns a future with the transformed error, in the default context.
  @_disfavoredOverload
  @preconcurrency
  public func mapError<E1>(_ f: @escaping @Sendable (Value.Error) -> E1) -> Future<Value.Value, E1> {
    future.mapError(defaultContext(), f: f)
  }

  @_disfavoredOverload
  @preconcurrency
  public func mapError<E1>(
    _ context: @escaping ExecutionContext, f: @escaping @Sendable (Value.Error) -> E1
  ) -> Future<Value.Value, E1> {
    future.mapError(context, f: f)
  }

  @_disfavoredOverload
  public func zip<U>(_ that: Future<U, Value.Error>) -> Future<(Value.Value, U), Value.Error> { future.zip(that) }

  /// Returns a future that also fails if the success does not satisfy a condition.
  ///
  /// The condition is checked on the actor that it was created on, or in the immediate context.
  @_disfavoredOverload
  @preconcurrency
  public func filter(
    @_inheritActorContext _ condition: @escaping @Sendable @isolated(any) (Value.Value) -> Bool
  ) -> Future<Value.Value, FuturesError<Value.Error>> {
    future.filter(condition)
  }

  /// Returns a future of other types.
  ///
  /// The program stops if the result has a different type.
  @_disfavoredOverload
  public func forceType<U, E1>() -> Future<U, E1> { future.forceType() }

  @_disfavoredOverload
  public func asVoid() -> Future<Void, Value.Error> { future.asVoid() }
}

extension AsyncType
where
  Value: ResultProtocol, Value.Value: AsyncType, Value.Value.Value: ResultProtocol, Value.Value.Value.Value: Sendable,
  Value.Error == Value.Value.Value.Error
{
  @_disfavoredOverload
  public func flatten() -> Future<Value.Value.Value.Value, Value.Error> {
    future.flatMap(immediateExecutionContext) { $0.future }
  }
}

extension AsyncType where Value: ResultProtocol, Value.Value: Sendable, Value.Error == Never {
  @_disfavoredOverload
  public func promoteError<E>() -> Future<Value.Value, E> { future.promoteError() }
}

extension AsyncType where Value: ResultProtocol, Value.Value: Sendable, Value.Error == FuturesError<Never> {
  @_disfavoredOverload
  public func promoteError<E>() -> Future<Value.Value, FuturesError<E>> { future.promoteError() }
}

extension AsyncType where Value: ResultProtocol, Value.Value == Never {
  @_disfavoredOverload
  public func promoteValue<U>() -> Future<U, Value.Error> { future.promoteValue() }
}
