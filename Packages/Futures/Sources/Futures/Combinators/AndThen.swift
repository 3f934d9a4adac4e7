internal import Isolation

extension Future {
  /// A future with the same result, completed after a callback was called with that result.
  ///
  /// For effects in order: what is registered on the returned future happens after the callback.
  ///
  /// - Parameter callback: Called once, on the actor that it was formed on, or in ``defaultContext()``.
  ///
  /// ```swift
  /// order.andThen { log($0) }.andThen { _ in spinner.stop() }
  /// ```
  @preconcurrency
  @discardableResult
  public func andThen(
    @_inheritActorContext callback: @escaping @Sendable @isolated(any) (Result<T, E>) -> Void
  ) -> Future<T, E> {
    andThen(context: defaultContext(on: callback.isolation), callback: erasingIsolation(callback))
  }

  /// A future with the same result, completed after a callback was called with that result.
  ///
  /// - Parameters:
  ///   - context: Where the callback runs.
  ///   - callback: Called once.
  @inlinable
  @preconcurrency
  @discardableResult
  public func andThen(
    context: @escaping ExecutionContext, callback: @escaping @Sendable (Result<T, E>) -> Void
  ) -> Future<T, E> {
    derived(Transform(callback), in: context) { transform, result, isInContext in
      guard isInContext else { return .changeContext }
      transform.call(result)
      return .complete(result)
    }
  }
}
