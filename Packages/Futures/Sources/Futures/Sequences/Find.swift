extension Sequence {
  /// Creates a future of the first value, in the order of the sequence, that satisfies a condition.
  ///
  /// - Parameter p: Called for one value after the other, in ``defaultContext()``, when all futures have succeeded.
  /// - Returns: A future of the value; of ``FuturesError/noSuchElement`` when there is none; or of the first error in the order of the
  ///   sequence, wrapped in ``FuturesError/external(_:)``.
  @preconcurrency
  public func find<T, E>(_ p: @escaping @Sendable (T) -> Bool) -> Future<T, FuturesError<E>>
  where Element == Future<T, E> {
    find(defaultContext(), p: p)
  }

  /// Creates a future of the first value, in the order of the sequence, that satisfies a condition.
  ///
  /// - Parameters:
  ///   - context: Where the condition is checked.
  ///   - p: Called for one value after the other, when all futures have succeeded.
  @preconcurrency
  public func find<T, E>(
    _ context: @escaping ExecutionContext, p: @escaping @Sendable (T) -> Bool
  ) -> Future<T, FuturesError<E>> where Element == Future<T, E> {
    sequence().mapError(immediateExecutionContext) { FuturesError.external($0) }
      .flatMap(context) { values -> Result<T, FuturesError<E>> in
        values.first(where: p).map { .success($0) } ?? .failure(.noSuchElement)
      }
  }
}
