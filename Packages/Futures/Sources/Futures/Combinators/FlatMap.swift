internal import Isolation

extension Future {
  /// Returns a future with the result of another future, which a function makes from this one's value.
  ///
  /// If this future fails, the new future fails with the same error.
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
