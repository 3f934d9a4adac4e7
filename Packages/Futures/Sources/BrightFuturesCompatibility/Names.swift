// One import replaces `import BrightFutures`.
@_exported public import Futures

public typealias BrightFuturesError = FuturesError

extension FuturesError {
  public init(external: E) {
    self = .external(external)
  }
}

extension Future {
  public typealias CompletionCallback = @Sendable (_ result: Result<T, E>) -> Void
  public typealias SuccessCallback = @Sendable (T) -> Void
  public typealias FailureCallback = @Sendable (E) -> Void

  @_disfavoredOverload  // for a trailing closure, which is the scope of the other form
  @preconcurrency
  public init(resolver: (_ result: @escaping @Sendable (Result<T, E>) -> Void) -> Void) {
    self.init(resolver)
  }

  @_disfavoredOverload  // for a trailing closure, which runs on its actor
  @preconcurrency
  @discardableResult
  public func onComplete(callback: @escaping @Sendable (Result<T, E>) -> Void) -> Self {
    onComplete(defaultContext(), callback: callback)
  }

  @_disfavoredOverload  // for a trailing closure, which runs on its actor
  @preconcurrency
  @discardableResult
  public func onSuccess(callback: @escaping @Sendable (T) -> Void) -> Self {
    onSuccess(defaultContext(), callback: callback)
  }

  @_disfavoredOverload  // for a trailing closure, which runs on its actor
  @preconcurrency
  @discardableResult
  public func onFailure(callback: @escaping @Sendable (E) -> Void) -> Self {
    onFailure(defaultContext(), callback: callback)
  }

  @preconcurrency
  @discardableResult
  public func andThen(
    context: @escaping ExecutionContext = defaultContext(), callback: @escaping @Sendable (Result<T, E>) -> Void
  ) -> Future<T, E> {
    andThen(context, callback: callback)
  }

  @preconcurrency
  public func recover(
    context: @escaping ExecutionContext = defaultContext(), task: @escaping @Sendable (E) -> T
  ) -> Future<T, Never> {
    recover(context, task: task)
  }

  @preconcurrency
  public func recoverWith<NewError>(
    context: @escaping ExecutionContext = defaultContext(), task: @escaping @Sendable (E) -> Future<T, NewError>
  ) -> Future<T, NewError> {
    recoverWith(context, task: task)
  }
}

extension Promise {
  public func completeWith(_ other: Future<T, E>) {
    complete(with: other)
  }
}

// MARK: Completion handlers

/// Creates a future from a function that calls back with an optional value and an optional error.
///
/// The value counts if both are present. If both are absent, the future stays pending.
///
/// ```swift
/// materialize { loadPicture(completion: $0) }.onSuccess { show($0) }
/// ```
@preconcurrency
public func materialize<T, E: Error>(
  _ scope: (@escaping @Sendable (T?, E?) -> Void) -> Void
) -> Future<T, E> {
  Future { complete in
    scope { value, error in
      if let value { complete(.success(value)) } else if let error { complete(.failure(error)) }
    }
  }
}

@preconcurrency
public func materialize<T>(_ scope: (@escaping @Sendable (T) -> Void) -> Void) -> Future<T, Never> {
  Future { complete in scope { complete(.success($0)) } }
}

/// Creates a future from a function that calls back with an optional error; without an error the future succeeds.
@preconcurrency
public func materialize<E: Error>(_ scope: (@escaping @Sendable (E?) -> Void) -> Void) -> Future<Void, E> {
  Future { complete in
    scope { error in complete(error.map { .failure($0) } ?? .success(())) }
  }
}

// MARK: Changing the types

extension Future {
  /// Returns a future with other types, and traps if the result has different types.
  public func forceType<U, NewError>() -> Future<U, NewError> {
    map(immediateExecutionContext) { force($0) }.mapError(immediateExecutionContext) { force($0) }
  }

  public func promoteError<NewError>() -> Future<T, FuturesError<NewError>> where E == FuturesError<Never> {
    mapError(immediateExecutionContext) { error in
      switch error {
      case .noSuchElement: .noSuchElement
      case .invalidationTokenInvalidated: .invalidationTokenInvalidated
      }
    }
  }
}

extension Future where T == Never {
  public func promoteValue<U>() -> Future<U, E> {
    forceType()
  }
}

private func force<Value, Forced>(_ value: Value) -> Forced {
  guard let forced = value as? Forced else {
    // Without the value, which may be secret.
    preconditionFailure(
      "Cannot use a value of type \(type(of: value)) as \(Forced.self): forceType needs a value of that type. "
        + "Use map to convert it.")
  }
  return forced
}
