internal import Isolation

extension AsyncType {
  /// Calls back when the operation has succeeded, on the actor where the callback was created, or in
  /// ``defaultContext()``.
  ///
  /// - Parameter callback: A function that is called with the value, at most once, and never if the operation fails.
  /// - Returns: The same async, so that calls can be chained.
  @preconcurrency
  @discardableResult
  public func onSuccess<T, E>(
    @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (T) -> Void
  ) -> Self where Value == Result<T, E> {
    onSuccess(defaultContext(on: callback.isolation), callback: erasingIsolation(callback))
  }

  /// Calls back when the operation has succeeded, in a context.
  ///
  /// - Parameters:
  ///   - context: The context of the callback.
  ///   - callback: A function that is called with the value, at most once, and never if the operation fails.
  /// - Returns: The same async, so that calls can be chained.
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

  /// Calls back when the operation has failed, on the actor where the callback was created, or in ``defaultContext()``.
  ///
  /// - Parameter callback: A function that is called with the error, at most once, and never if the operation succeeds.
  /// - Returns: The same async, so that calls can be chained.
  @preconcurrency
  @discardableResult
  public func onFailure<T, E>(
    @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (E) -> Void
  ) -> Self where Value == Result<T, E> {
    onFailure(defaultContext(on: callback.isolation), callback: erasingIsolation(callback))
  }

  /// Calls back when the operation has failed, in a context.
  ///
  /// - Parameters:
  ///   - context: The context of the callback.
  ///   - callback: A function that is called with the error, at most once, and never if the operation succeeds.
  /// - Returns: The same async, so that calls can be chained.
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
