internal import Isolation

extension Future {
  /// A future that also fails when the value does not satisfy a condition.
  ///
  /// - Parameter condition: Called once if this future succeeds, on the actor that it was formed on, or in
  ///   ``defaultContext()``.
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

  /// A future that also fails when the value does not satisfy a condition.
  ///
  /// - Parameters:
  ///   - context: Where the condition is checked.
  ///   - condition: Called once if this future succeeds.
  @preconcurrency
  public func filter(
    _ context: @escaping ExecutionContext, condition: @escaping @Sendable (T) -> Bool
  ) -> Future<T, FuturesError<E>> {
    transformed(
      in: context,
      Transform(
        passing: { result in
          if case .failure(let error) = result { .failure(.external(error)) } else { nil }
        },
        function: { result in
          result.mapError(FuturesError.external).flatMap { condition($0) ? .success($0) : .failure(.noSuchElement) }
        }))
  }
}
