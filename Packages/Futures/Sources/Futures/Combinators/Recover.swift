internal import Isolation

extension Future {
  /// A future that cannot fail: of this one's value, or of what a function makes of its error.
  ///
  /// - Parameter task: Called once if this future fails, on the actor that it was formed on, or in
  ///   ``defaultContext()``.
  ///
  /// ```swift
  /// picture.recover { _ in placeholder }.onSuccess { show($0) }
  /// ```
  @preconcurrency
  public func recover(
    @_inheritActorContext task: @escaping @Sendable @isolated(any) (E) -> T
  ) -> Future<T, Never> {
    recover(context: defaultContext(on: task.isolation), task: erasingIsolation(task))
  }

  /// A future that cannot fail: of this one's value, or of what a function makes of its error.
  ///
  /// - Parameters:
  ///   - context: Where the function runs; a value is passed on without it.
  ///   - task: Called once if this future fails.
  @inlinable
  @preconcurrency
  public func recover(
    context: @escaping ExecutionContext, task: @escaping @Sendable (E) -> T
  ) -> Future<T, Never> {
    derived(Transform(task), in: context) { transform, result, isInContext in
      switch result {
      case .success(let value): .complete(.success(value))
      case .failure(let error): isInContext ? .complete(.success(transform.call(error))) : .changeContext
      }
    }
  }

  /// A future of this one's value, or that goes on with another one, made from its error.
  ///
  /// - Parameter task: Called once if this future fails, on the actor that it was formed on, or in
  ///   ``defaultContext()``.
  ///
  /// ```swift
  /// fetch(picture).recoverWith { _ in fetch(placeholder) }
  /// ```
  @preconcurrency
  public func recoverWith<NewError>(
    @_inheritActorContext task: @escaping @Sendable @isolated(any) (E) -> Future<T, NewError>
  ) -> Future<T, NewError> {
    recoverWith(context: defaultContext(on: task.isolation), task: erasingIsolation(task))
  }

  /// A future of this one's value, or that goes on with another one, made from its error.
  ///
  /// - Parameters:
  ///   - context: Where the function runs; a value is passed on without it.
  ///   - task: Called once if this future fails.
  @inlinable
  @preconcurrency
  public func recoverWith<NewError>(
    context: @escaping ExecutionContext, task: @escaping @Sendable (E) -> Future<T, NewError>
  ) -> Future<T, NewError> {
    derived(Transform(task), in: context) { transform, result, isInContext in
      switch result {
      case .success(let value): .complete(.success(value))
      case .failure(let error): isInContext ? .follow(transform.call(error)) : .changeContext
      }
    }
  }
}

/// This future's value, or another value when it fails.
///
/// - Parameters:
///   - future: What may fail.
///   - value: Evaluated once if the future fails, on the thread that completes it.
///
/// ```swift
/// let name = fetchedName ?? "unknown"
/// ```
public func ?? <T, E>(
  future: Future<T, E>, value: @autoclosure @escaping @Sendable () -> T
) -> Future<T, Never> {
  future.recover(context: immediateExecutionContext) { _ in value() }
}

/// This future's value, or that of another future when it fails.
///
/// - Parameters:
///   - future: What may fail.
///   - other: Evaluated once if the future fails, on the thread that completes it.
public func ?? <T, E, NewError>(
  future: Future<T, E>, other: @autoclosure @escaping @Sendable () -> Future<T, NewError>
) -> Future<T, NewError> {
  future.recoverWith(context: immediateExecutionContext) { _ in other() }
}
