internal import Isolation

extension AsyncType {
  @inlinable public var isCompleted: Bool { result != nil }

  /// Calls back when the value is available, on the actor where the callback was created, or in ``defaultContext()``.
  ///
  /// The value of a future is its result.
  @preconcurrency
  @discardableResult
  public func onComplete(
    @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (Value) -> Void
  ) -> Self {
    onComplete(defaultContext(on: callback.isolation), callback: erasingIsolation(callback))
  }

  /// Calls back with the value if the operation succeeds, on the actor where the callback was created, or in
  /// ``defaultContext()``.
  @preconcurrency
  @discardableResult
  public func onSuccess<T, E>(
    @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (T) -> Void
  ) -> Self where Value == Result<T, E> {
    onSuccess(defaultContext(on: callback.isolation), callback: erasingIsolation(callback))
  }

  /// Calls back with the value if the operation succeeds, in a context.
  @inlinable
  @preconcurrency
  @discardableResult
  public func onSuccess<T, E>(
    _ context: @escaping ExecutionContext, callback: @escaping @Sendable (T) -> Void
  ) -> Self where Value == Result<T, E> {
    onComplete(context) { result in
      if case .success(let value) = result { callback(value) }
    }
  }

  /// Calls back with the error if the operation fails, on the actor where the callback was created, or in
  /// ``defaultContext()``.
  @preconcurrency
  @discardableResult
  public func onFailure<T, E>(
    @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (E) -> Void
  ) -> Self where Value == Result<T, E> {
    onFailure(defaultContext(on: callback.isolation), callback: erasingIsolation(callback))
  }

  /// Calls back with the error if the operation fails, in a context.
  @inlinable
  @preconcurrency
  @discardableResult
  public func onFailure<T, E>(
    _ context: @escaping ExecutionContext, callback: @escaping @Sendable (E) -> Void
  ) -> Self where Value == Result<T, E> {
    onComplete(context) { result in
      if case .failure(let error) = result { callback(error) }
    }
  }
}
