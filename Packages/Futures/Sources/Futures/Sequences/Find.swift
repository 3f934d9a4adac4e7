extension Sequence {
  /// A future of the first value, in the order of the sequence, that satisfies a condition.
  ///
  /// It waits for one future after the other, only as far as it must.
  ///
  /// - Parameter p: Called for one value after the other, in ``defaultContext()``.
  /// - Returns: A future of the value, of ``FuturesError/noSuchElement`` when there is none, or of the first error that is
  ///   met on the way, wrapped in ``FuturesError/external(_:)``.
  @preconcurrency
  public func find<T, E>(_ p: @escaping @Sendable (T) -> Bool) -> Future<T, FuturesError<E>>
  where Element == Future<T, E> {
    find(defaultContext(), p: p)
  }

  /// A future of the first value, in the order of the sequence, that satisfies a condition.
  ///
  /// - Parameters:
  ///   - context: Where the condition is checked.
  ///   - p: Called for one value after the other.
  @preconcurrency
  public func find<T, E>(
    _ context: @escaping ExecutionContext, p: @escaping @Sendable (T) -> Bool
  ) -> Future<T, FuturesError<E>> where Element == Future<T, E> {
    let futures = Array(self)
    return findFirst(in: futures[...], context, p).waitingInTurn(for: futures)
  }
}

@Sendable
private func findFirst<T, E>(
  in futures: ArraySlice<Future<T, E>>, _ context: @escaping ExecutionContext,
  _ condition: @escaping @Sendable (T) -> Bool
) -> Future<T, FuturesError<E>> {
  guard let first = futures.first else { return Future(error: .noSuchElement) }
  let rest = futures.dropFirst()
  return first.mapError(immediateExecutionContext) { FuturesError.external($0) }
    .flatMap(immediateExecutionContext) { value in
      Future<T, FuturesError<E>>(value: value).map(context, f: condition)
        .flatMap(immediateExecutionContext) { isFound in
          isFound ? Future(value: value) : findFirst(in: rest, context, condition)
        }
    }
}
