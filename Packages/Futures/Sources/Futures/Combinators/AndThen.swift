internal import Isolation

extension Future {
  /// Returns a future with the same result, which is completed after a callback has returned.
  ///
  /// Use it for effects in order: callbacks of the returned future run after this callback. For an effect that must not
  /// be skipped, use ``Async/onComplete(_:)``.
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

  /// Returns a future with the same result, which is completed after a callback has returned.
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
