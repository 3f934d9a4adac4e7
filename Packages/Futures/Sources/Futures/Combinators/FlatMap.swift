internal import Isolation

extension Future {
  /// Returns a future with the result of another future, which a function makes from this one's value.
  ///
  /// If this future fails, the new future fails with the same error.
  ///
  /// - Parameter transform: A function that is called at most once, if this future succeeds, on the actor where it was
  ///   created, or in ``defaultContext()``. It can be omitted if the new future is cancelled, or its last listener
  ///   leaves, before that: see <doc:Cancellation>.
  ///
  /// ```swift
  /// func picture(of bird: Bird) -> Future<Picture, BirdsError> { … }
  /// bird.flatMap(picture(of:)).onSuccess { show($0) }
  /// ```
  @preconcurrency
  public func flatMap<U>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (T) -> Future<U, E>
  ) -> Future<U, E> {
    flatMap(defaultContext(on: transform.isolation), f: erasingIsolation(transform))
  }

  /// Returns a future with the result of another future, which a function makes from this one's value.
  ///
  /// - Parameters:
  ///   - context: The context of the transform. If it is the immediate one and this future is completed, the transform
  ///     runs before this call returns. See ``Async/onComplete(_:callback:)`` for the exception.
  ///   - f: A function that is called at most once, if this future succeeds.
  @inlinable
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

  /// Returns a future of the result that a function makes from this one's value.
  ///
  /// If this future fails, the new future fails with the same error.
  ///
  /// - Parameter transform: A function that is called at most once, if this future succeeds, on the actor where it was
  ///   created, or in ``defaultContext()``. It can be omitted if the new future is cancelled, or its last listener
  ///   leaves, before that: see <doc:Cancellation>.
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

  /// Returns a future of the result that a function makes from this one's value.
  ///
  /// - Parameters:
  ///   - context: The context of the transform. If it is the immediate one and this future is completed, the transform
  ///     runs before this call returns, and the new future costs one allocation. See ``Async/onComplete(_:callback:)``
  ///     for the exception.
  ///   - f: A function that is called at most once, if this future succeeds.
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
