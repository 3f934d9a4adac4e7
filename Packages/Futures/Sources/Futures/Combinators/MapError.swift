internal import Isolation

extension Future {
  /// Returns a future of this future's value, or of the transformed error.
  ///
  /// - Parameter transform: A function that is called at most once, if this future fails, on the actor where it was
  ///   created, or in ``defaultContext()``. It can be omitted if the new future is cancelled, or its last listener
  ///   leaves, before that: see <doc:Cancellation>.
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

  /// Returns a future of this future's value, or of the transformed error.
  ///
  /// - Parameters:
  ///   - context: The context of the transform. If it is the immediate one and this future is completed, the transform
  ///     runs before this call returns. See ``Async/onComplete(_:callback:)`` for the exception.
  ///   - f: A function that is called at most once, if this future fails.
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
