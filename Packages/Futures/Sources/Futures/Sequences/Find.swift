extension Sequence {
  /// Returns a future of the first value, in the order of the sequence, that satisfies a condition.
  ///
  /// - Parameter p: A condition that is called for one value after the other, when all futures have succeeded.
  /// - Returns: A future of the value. It fails with ``FuturesError/noSuchElement`` if no value satisfies the
  ///   condition, or with the first error in the order of the sequence, wrapped in ``FuturesError/external(_:)``.
  @preconcurrency
  public func find<T, E>(_ p: @escaping @Sendable (T) -> Bool) -> Future<T, FuturesError<E>>
  where Element == Future<T, E> {
    find(defaultContext(), p: p)
  }

  /// Returns a future of the first value, in the order of the sequence, that satisfies a condition.
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
