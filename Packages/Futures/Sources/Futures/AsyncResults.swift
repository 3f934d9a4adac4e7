internal import Isolation

/// What a future can do, for any asynchronous type whose value is a `Result`.
extension AsyncType {
  /// A future of the transformed value; a failure is passed on.
  ///
  /// As `Future.map`.
  @preconcurrency
  public func map<T, U, E>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (T) -> U
  ) -> Future<U, E> where Value == Result<T, E> {
    Future(other: self).map(defaultContext(on: transform.isolation), f: erasingIsolation(transform))
  }

  /// A future of the transformed value; a failure is passed on.
  ///
  /// As `Future.map`.
  @preconcurrency
  public func map<T, U, E>(
    _ context: @escaping ExecutionContext, f: @escaping @Sendable (T) -> U
  ) -> Future<U, E> where Value == Result<T, E> {
    Future(other: self).map(context, f: f)
  }

  /// A future that goes on with another one, made from this one's value.
  ///
  /// As `Future.flatMap`.
  @preconcurrency
  public func flatMap<T, U, E>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (T) -> Future<U, E>
  ) -> Future<U, E> where Value == Result<T, E> {
    Future(other: self).flatMap(defaultContext(on: transform.isolation), f: erasingIsolation(transform))
  }

  /// A future that goes on with another one, made from this one's value.
  ///
  /// As `Future.flatMap`.
  @preconcurrency
  public func flatMap<T, U, E>(
    _ context: @escaping ExecutionContext, f: @escaping @Sendable (T) -> Future<U, E>
  ) -> Future<U, E> where Value == Result<T, E> {
    Future(other: self).flatMap(context, f: f)
  }

  /// A future of the result that is made from this one's value.
  ///
  /// As `Future.flatMap`.
  @preconcurrency
  public func flatMap<T, U, E>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (T) -> Result<U, E>
  ) -> Future<U, E> where Value == Result<T, E> {
    Future(other: self).flatMap(defaultContext(on: transform.isolation), f: erasingIsolation(transform))
  }

  /// A future of the result that is made from this one's value.
  ///
  /// As `Future.flatMap`.
  @preconcurrency
  public func flatMap<T, U, E>(
    _ context: @escaping ExecutionContext, f: @escaping @Sendable (T) -> Result<U, E>
  ) -> Future<U, E> where Value == Result<T, E> {
    Future(other: self).flatMap(context, f: f)
  }
}
