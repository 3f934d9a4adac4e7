internal import Isolation

extension Future {
  /// A future that goes on with another one, made from this one's value; a failure is passed on.
  ///
  /// - Parameter transform: Called once if this future succeeds, on the actor that it was formed on, or in
  ///   ``defaultContext()``.
  ///
  /// ```swift
  /// func picture(of bird: Bird) -> Future<Picture, BirdsError> { … }
  /// bird.flatMap(picture(of:)).onSuccess { show($0) }
  /// ```
  ///
  /// Source: *Beyond the block based API: Building a simple future*.
  @preconcurrency
  public func flatMap<U>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (T) -> Future<U, E>
  ) -> Future<U, E> {
    flatMap(defaultContext(on: transform.isolation), f: erasingIsolation(transform))
  }

  /// A future that goes on with another one, made from this one's value; a failure is passed on.
  ///
  /// - Parameters:
  ///   - context: Where the transform runs. In the immediate one, on a future that is completed already, it runs before
  ///     this call returns. (Nested in very many callbacks, it runs before the
  ///     outermost of them ends.)
  ///   - f: Called once if this future succeeds.
  @inlinable
  @inline(__always)
  @preconcurrency
  public func flatMap<U>(
    _ context: @escaping ExecutionContext, f: @escaping @Sendable (T) -> Future<U, E>
  ) -> Future<U, E> {
    derived(Transform(f), in: context) { transform, result, isInContext in
      switch result {
      case .success(let value): isInContext ? .follow(transform.call(value)) : .changeContext
      case .failure(let error): .complete(.failure(error))
      }
    }
  }

  /// A future of the result that is made from this one's value; a failure is passed on.
  ///
  /// - Parameter transform: Called once if this future succeeds, on the actor that it was formed on, or in
  ///   ``defaultContext()``.
  ///
  /// ```swift
  /// data.flatMap { data in Bird.decode(data) }.onFailure { error in report(error) }
  /// ```
  @preconcurrency
  public func flatMap<U>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (T) -> Result<U, E>
  ) -> Future<U, E> {
    flatMap(defaultContext(on: transform.isolation), f: erasingIsolation(transform))
  }

  /// A future of the result that is made from this one's value; a failure is passed on.
  ///
  /// - Parameters:
  ///   - context: Where the transform runs. In the immediate one, on a future that is completed already, it runs before
  ///     this call returns, and the new future costs one allocation. (Nested in very many callbacks, it runs before
  ///     the outermost of them ends.)
  ///   - f: Called once if this future succeeds.
  @inlinable
  @preconcurrency
  public func flatMap<U>(
    _ context: @escaping ExecutionContext, f: @escaping @Sendable (T) -> Result<U, E>
  ) -> Future<U, E> {
    derived(Transform(f), in: context) { transform, result, isInContext in
      switch result {
      case .success(let value): isInContext ? .complete(transform.call(value)) : .changeContext
      case .failure(let error): .complete(.failure(error))
      }
    }
  }
}
