internal import Isolation

extension Future {
  /// Returns a future that also fails if the value does not satisfy a condition.
  ///
  /// - Parameter condition: A function that is called at most once, if this future succeeds, on the actor where it was
  ///   created, or in ``defaultContext()``. It can be omitted if the new future is cancelled, or its last listener
  ///   leaves, before that: see <doc:Cancellation>.
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
  ///
  /// - Parameters:
  ///   - context: The context of the condition.
  ///   - condition: A function that is called at most once, if this future succeeds.
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
