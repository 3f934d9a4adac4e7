internal import Isolation

extension Future {
  /// Returns a future that cannot fail: of this one's value, or of the value that a function makes from its error.
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

  /// Returns a future that cannot fail: of this one's value, or of the value that a function makes from its error.
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

  /// Returns a future of this one's value, or with the result of a future that a function makes from its error.
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

  /// Returns a future of this one's value, or with the result of a future that a function makes from its error.
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

/// Returns a future of another future's value, or of a default value if that future fails.
///
/// The default is evaluated at most once.
///
/// ```swift
/// let name = fetchedName ?? "unknown"
/// ```
public func ?? <T, E>(
  future: Future<T, E>, value: @autoclosure @escaping @Sendable () -> T
) -> Future<T, Never> {
  future.recover(context: immediateExecutionContext) { _ in value() }
}

/// Returns a future of the first future's value, or the second future's result if the first one fails.
///
/// The second one is evaluated at most once.
public func ?? <T, E, NewError>(
  future: Future<T, E>, other: @autoclosure @escaping @Sendable () -> Future<T, NewError>
) -> Future<T, NewError> {
  future.recoverWith(context: immediateExecutionContext) { _ in other() }
}
