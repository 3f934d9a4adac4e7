internal import Isolation

extension Future {
  /// A future of the same value with the transformed error; a success is passed on.
  ///
  /// - Parameter transform: Called once if this future fails, on the actor that it was formed on, or in
  ///   ``defaultContext()``.
  ///
  /// ```swift
  /// session.dataFuture(with: url).mapError { BirdsError.network($0) }
  /// ```
  @preconcurrency
  public func mapError<NewError: Error>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (E) -> NewError
  ) -> Future<T, NewError> {
    mapError(defaultContext(on: transform.isolation), f: erasingIsolation(transform))
  }

  /// A future of the same value with the transformed error; a success is passed on.
  ///
  /// - Parameters:
  ///   - context: Where the transform runs. In the immediate one, on a future that is completed already, it runs before
  ///     this call returns. (Nested in very many callbacks, it runs before the outermost of them ends.)
  ///   - f: Called once if this future fails.
  @inlinable
  @preconcurrency
  public func mapError<NewError: Error>(
    _ context: @escaping ExecutionContext, f: @escaping @Sendable (E) -> NewError
  ) -> Future<T, NewError> {
    derived(Transform(f), in: context) { transform, result, isInContext in
      switch result {
      case .success(let value): .complete(.success(value))
      case .failure(let error): isInContext ? .complete(.failure(transform.call(error))) : .changeContext
      }
    }
  }
}
