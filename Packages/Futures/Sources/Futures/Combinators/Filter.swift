internal import Isolation

extension Future {
  /// Returns a future that also fails if the value does not satisfy a condition.
  ///
  /// - Returns: A future of the value, of ``FuturesError/noSuchElement``, or of this future's error wrapped in
  ///   ``FuturesError/external(_:)``.
  ///
  /// ```swift
  /// age.filter { $0 >= 18 }.onFailure { _ in refuse() }
  /// ```
  @preconcurrency
  public func filter(
    @_inheritActorContext _ condition: @escaping @Sendable @isolated(any) (T) -> Bool
  ) -> Future<T, FuturesError<E>> {
    filter(defaultContext(on: condition.isolation), condition: erasingIsolation(condition))
  }

  /// Returns a future that also fails if the value does not satisfy a condition.
  @inlinable
  @preconcurrency
  public func filter(
    _ context: @escaping ExecutionContext, condition: @escaping @Sendable (T) -> Bool
  ) -> Future<T, FuturesError<E>> {
    derived(Transform(condition), in: context) { transform, result, isInContext in
      switch result {
      case .success(let value):
        isInContext ? .complete(transform.call(value) ? .success(value) : .failure(.noSuchElement)) : .changeContext
      case .failure(let error): .complete(.failure(.external(error)))
      }
    }
  }
}
