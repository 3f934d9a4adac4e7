internal import Isolation

extension Future {
  /// Returns a future of this future's value, or of the transformed error.
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
