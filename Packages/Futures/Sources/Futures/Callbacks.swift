internal import Isolation

extension AsyncType {
  /// Calls back once the operation has succeeded, on the actor that the callback was formed on, or in
  /// ``defaultContext()``.
  ///
  /// - Parameter callback: Called with the value, at most once; never when the operation fails.
  /// - Returns: The same async, so that calls can be chained.
  ///
  /// Source: *Beyond the block based API: Building a simple future*.
  @preconcurrency
  @discardableResult
  public func onSuccess<T, E>(
    @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (T) -> Void
  ) -> Self where Value == Result<T, E> {
    onSuccess(defaultContext(on: callback.isolation), callback: erasingIsolation(callback))
  }

  /// Calls back once the operation has succeeded, in a context.
  ///
  /// - Parameters:
  ///   - context: Where the callback runs.
  ///   - callback: Called with the value, at most once; never when the operation fails.
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

  /// Calls back once the operation has failed, on the actor that the callback was formed on, or in
  /// ``defaultContext()``.
  ///
  /// - Parameter callback: Called with the error, at most once; never when the operation succeeds.
  /// - Returns: The same async, so that calls can be chained.
  ///
  /// Source: *Beyond the block based API: Building a simple future*.
  @preconcurrency
  @discardableResult
  public func onFailure<T, E>(
    @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (E) -> Void
  ) -> Self where Value == Result<T, E> {
    onFailure(defaultContext(on: callback.isolation), callback: erasingIsolation(callback))
  }

  /// Calls back once the operation has failed, in a context.
  ///
  /// - Parameters:
  ///   - context: Where the callback runs.
  ///   - callback: Called with the error, at most once; never when the operation succeeds.
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
