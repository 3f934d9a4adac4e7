internal import Isolation

extension AsyncType {
  /// Like `Future.map` of a function that does not throw.
  @preconcurrency
  public func map<T, U, E>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (T) -> U
  ) -> Future<U, E> where Value == Result<T, E> {
    Future(other: self).map(defaultContext(on: transform.isolation), f: erasingIsolation(transform))
  }

  /// Like `Future.map` of a function that does not throw.
  @preconcurrency
  public func map<T, U, E>(
    _ context: @escaping ExecutionContext, f: @escaping @Sendable (T) -> U
  ) -> Future<U, E> where Value == Result<T, E> {
    Future(other: self).map(context, f: f)
  }

  /// Like `Future.flatMap`.
  @preconcurrency
  public func flatMap<T, U, E>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (T) -> Future<U, E>
  ) -> Future<U, E> where Value == Result<T, E> {
    Future(other: self).flatMap(defaultContext(on: transform.isolation), f: erasingIsolation(transform))
  }

  /// Like `Future.flatMap`.
  @preconcurrency
  public func flatMap<T, U, E>(
    _ context: @escaping ExecutionContext, f: @escaping @Sendable (T) -> Future<U, E>
  ) -> Future<U, E> where Value == Result<T, E> {
    Future(other: self).flatMap(context, f: f)
  }

  /// Like `Future.flatMap`.
  @preconcurrency
  public func flatMap<T, U, E>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (T) -> Result<U, E>
  ) -> Future<U, E> where Value == Result<T, E> {
    Future(other: self).flatMap(defaultContext(on: transform.isolation), f: erasingIsolation(transform))
  }

  /// Like `Future.flatMap`.
  @preconcurrency
  public func flatMap<T, U, E>(
    _ context: @escaping ExecutionContext, f: @escaping @Sendable (T) -> Result<U, E>
  ) -> Future<U, E> where Value == Result<T, E> {
    Future(other: self).flatMap(context, f: f)
  }
}
