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
    let context = unlessImmediate(context)
    if context == nil, let result = reactNow({ $0.mapError(f) }) { return Future<T, NewError>(result: result) }
    let stage = Stage<@Sendable (E) -> NewError, T, NewError>(f, in: context) { listener, source, ready, hasTurn in
      let stage = unsafeDowncast(listener, to: Stage<@Sendable (E) -> NewError, T, NewError>.self)
      if stage.hasEnded() { return nil }
      switch unsafeDowncast(source, to: Future<T, E>.self).completedValue {
      case .success(let value):
        _ = stage.takeFunction()
        stage.complete(.success(value), &ready)
      case .failure(let error):
        if !hasTurn, let context = stage.takeContext() { return context }
        let transform = stage.takeFunction()
        stage.complete(.failure(transform(error)), &ready)
      }
      return nil
    }
    register(waiting: stage)
    return stage
  }
}
