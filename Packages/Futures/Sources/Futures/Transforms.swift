public import Isolation

// Each operator has two forms: one that runs its function on the actor where the function was created, or else in
// `defaultContext()`, and one with a context. The function is not called if the new future was cancelled before, and its error type
// can represent that.

extension Future {
  /// Returns a future that a step completes, or lets wait for another future, when this one is completed.
  @inlinable
  func derived<U, NewError>(
    in context: @escaping ExecutionContext,
    step: @escaping @Sendable (FutureCore<T, E>, FutureCore<U, NewError>) -> Void
  ) -> Future<U, NewError> {
    let target = FutureCore<U, NewError>(completers: 0)
    link(core, to: target, in: context, step: step)
    return Future<U, NewError>(core: target)
  }

  /// Returns a future of the transformed value, or of this future's error.
  ///
  /// ```swift
  /// Future<Int, Never>(value: 20).map { $0 + 1 }.onSuccess { print($0) }  // 21
  /// ```
  ///
  /// If the compiler reports "cannot use explicit 'return' statement", the chain has another mistake: see <doc:WhichWhen>.
  @preconcurrency
  public func map<U>(
    @_inheritActorContext @TransformBuilder<U> _ transform: @escaping @Sendable @isolated(any) (T) -> U
  ) -> Future<U, E> {
    map(defaultContext(on: transform.isolation), f: erasingIsolation(transform))
  }

  @inlinable
  @preconcurrency
  public func map<U>(
    _ context: @escaping ExecutionContext, @TransformBuilder<U> f: @escaping @Sendable (T) -> U
  ) -> Future<U, E> {
    derived(in: context) { source, target in target.tryComplete(source.completedResult.map(f)) }
  }

  /// Returns a future of the transformed value, of this future's error, or of the error that the transform throws.
  ///
  /// - Parameter transform: A function that may throw this future's type of error. A closure must name that type, unless it is `any Error`.
  ///
  /// ```swift
  /// func decode(_ data: Data) throws(BirdsError) -> [Bird] { … }
  /// data.tryMap(decode)  // data is a Future<Data, BirdsError>
  /// data.tryMap { data throws(BirdsError) in try decode(data).first }
  /// ```
  @preconcurrency
  public func tryMap<U>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (T) throws(E) -> U
  ) -> Future<U, E> {
    tryMap(defaultContext(on: transform.isolation), f: erasingIsolation(throwing: transform))
  }

  @inlinable
  @preconcurrency
  public func tryMap<U>(
    _ context: @escaping ExecutionContext, f: @escaping @Sendable (T) throws(E) -> U
  ) -> Future<U, E> {
    derived(in: context) { source, target in
      do throws(E) {
        target.tryComplete(.success(try f(source.completedResult.get())))
      } catch {
        target.tryComplete(.failure(error))
      }
    }
  }

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

  @inlinable
  @preconcurrency
  public func flatMap<U>(
    _ context: @escaping ExecutionContext, f: @escaping @Sendable (T) -> Future<U, E>
  ) -> Future<U, E> {
    derived(in: context) { source, target in
      switch source.completedResult {
      case .success(let value): target.follow(f(value))
      case .failure(let error): target.tryComplete(.failure(error))
      }
    }
  }

  /// Returns a future of the result that a function makes from this one's value.
  ///
  /// If this future fails, the new future fails with the same error.
  ///
  /// The talk calls this form `flatMap` too. With two forms of `flatMap`, each one doubles the time that the compiler needs for a chain.
  ///
  /// ```swift
  /// data.flatMapResult { data in Bird.decode(data) }.onFailure { error in report(error) }
  /// ```
  @preconcurrency
  public func flatMapResult<U>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (T) -> Result<U, E>
  ) -> Future<U, E> {
    flatMapResult(defaultContext(on: transform.isolation), f: erasingIsolation(transform))
  }

  @inlinable
  @preconcurrency
  public func flatMapResult<U>(
    _ context: @escaping ExecutionContext, f: @escaping @Sendable (T) -> Result<U, E>
  ) -> Future<U, E> {
    derived(in: context) { source, target in target.tryComplete(source.completedResult.flatMap(f)) }
  }

  /// Returns a future of this future's value, or of the transformed error.
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

  @inlinable
  @preconcurrency
  public func mapError<NewError: Error>(
    _ context: @escaping ExecutionContext, f: @escaping @Sendable (E) -> NewError
  ) -> Future<T, NewError> {
    derived(in: context) { source, target in target.tryComplete(source.completedResult.mapError(f)) }
  }

  /// Returns a future that cannot fail: of this one's value, or of the value that a function makes from its error.
  ///
  /// ```swift
  /// picture.recover { _ in placeholder }.onSuccess { show($0) }
  /// ```
  @preconcurrency
  public func recover(
    @_inheritActorContext _ task: @escaping @Sendable @isolated(any) (E) -> T
  ) -> Future<T, Never> {
    recover(defaultContext(on: task.isolation), task: erasingIsolation(task))
  }

  @inlinable
  @preconcurrency
  public func recover(
    _ context: @escaping ExecutionContext, task: @escaping @Sendable (E) -> T
  ) -> Future<T, Never> {
    derived(in: context) { source, target in
      switch source.completedResult {
      case .success(let value): target.tryComplete(.success(value))
      case .failure(let error): target.tryComplete(.success(task(error)))
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
    @_inheritActorContext _ task: @escaping @Sendable @isolated(any) (E) -> Future<T, NewError>
  ) -> Future<T, NewError> {
    recoverWith(defaultContext(on: task.isolation), task: erasingIsolation(task))
  }

  @inlinable
  @preconcurrency
  public func recoverWith<NewError>(
    _ context: @escaping ExecutionContext, task: @escaping @Sendable (E) -> Future<T, NewError>
  ) -> Future<T, NewError> {
    derived(in: context) { source, target in
      switch source.completedResult {
      case .success(let value): target.tryComplete(.success(value))
      case .failure(let error): target.follow(task(error))
      }
    }
  }

  /// Returns a future that also fails if the value does not satisfy a condition.
  ///
  /// - Returns: A future of the value, of ``FuturesError/noSuchElement``, or of this future's error wrapped in
  ///   ``FuturesError/external(_:)``.
  ///
  /// ```swift
  /// age.filter { $0 >= 18 }.onFailure { _ in refuse() }
  /// ```
  @preconcurrency
  public func filter(
    @_inheritActorContext _ condition: @escaping @Sendable @isolated(any) (T) -> Bool
  ) -> Future<T, FuturesError<E>> {
    filter(defaultContext(on: condition.isolation), condition: erasingIsolation(condition))
  }

  @inlinable
  @preconcurrency
  public func filter(
    _ context: @escaping ExecutionContext, condition: @escaping @Sendable (T) -> Bool
  ) -> Future<T, FuturesError<E>> {
    derived(in: context) { source, target in
      switch source.completedResult {
      case .success(let value): target.tryComplete(condition(value) ? .success(value) : .failure(.noSuchElement))
      case .failure(let error): target.tryComplete(.failure(.external(error)))
      }
    }
  }

  /// Returns a future with the same result, which is completed after a callback has returned.
  ///
  /// Use it for progress inside of a chain: `cancel()` at the end of the chain still reaches the work at its beginning. For an effect that
  /// must not be skipped, use ``AsyncType/onComplete(_:)``, which keeps the work wanted.
  ///
  /// ```swift
  /// order.andThen { log($0) }.andThen { _ in spinner.stop() }
  /// ```
  @preconcurrency
  @discardableResult
  public func andThen(
    @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (Result<T, E>) -> Void
  ) -> Future<T, E> {
    andThen(defaultContext(on: callback.isolation), callback: erasingIsolation(callback))
  }

  @inlinable
  @preconcurrency
  @discardableResult
  public func andThen(
    _ context: @escaping ExecutionContext, callback: @escaping @Sendable (Result<T, E>) -> Void
  ) -> Future<T, E> {
    derived(in: context) { source, target in
      callback(source.completedResult)
      target.tryComplete(source.completedResult)
    }
  }

  /// Returns a future without the value: it succeeds or fails when this one does.
  public func asVoid() -> Future<Void, E> {
    map(immediateExecutionContext) { _ in }
  }

  public func flatten<U>() -> Future<U, E> where T == Future<U, E> {
    flatMap(immediateExecutionContext) { $0 }
  }

  public func flatten<U>() -> Future<U, E> where T == Result<U, E> {
    flatMapResult(immediateExecutionContext) { $0 }
  }
}

extension Future {
  /// Returns a future with the same result, whose error is `any Error`.
  public func promoteError() -> Future<T, any Error> {
    mapError(immediateExecutionContext) { $0 }
  }
}

extension Future where E == Never {
  /// Returns a future with another error type, which never fails.
  public func promoteError<NewError>() -> Future<T, NewError> {
    derived(in: immediateExecutionContext) { source, target in
      switch source.completedResult {
      case .success(let value): target.tryComplete(.success(value))
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
  future.recover(immediateExecutionContext) { _ in value() }
}

/// Returns a future of the first future's value, or the second future's result if the first one fails.
///
/// The second one is evaluated at most once.
public func ?? <T, E, NewError>(
  future: Future<T, E>, other: @autoclosure @escaping @Sendable () -> Future<T, NewError>
) -> Future<T, NewError> {
  future.recoverWith(immediateExecutionContext) { _ in other() }
}
