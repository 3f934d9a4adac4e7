/// The name of `FuturesError` in BrightFutures.
public typealias BrightFuturesError = FuturesError

extension FuturesError {
  /// Wraps the error of a future: the case `external` under its name in older code.
  public init(external: E) {
    self = .external(external)
  }
}

extension Future {
  public typealias CompletionCallback = @Sendable (_ result: Result<T, E>) -> Void
  public typealias SuccessCallback = @Sendable (T) -> Void
  public typealias FailureCallback = @Sendable (E) -> Void

  /// Returns a future with the same result, which is completed after a callback has returned.
  @preconcurrency
  @discardableResult
  public func andThen(
    context: @escaping ExecutionContext = defaultContext(), callback: @escaping @Sendable (Result<T, E>) -> Void
  ) -> Future<T, E> {
    andThen(context, callback: callback)
  }

  /// Returns a future of this one's value, or of the value that a function makes from its error.
  @preconcurrency
  public func recover(
    context: @escaping ExecutionContext = defaultContext(), task: @escaping @Sendable (E) -> T
  ) -> Future<T, Never> {
    recover(context, task: task)
  }

  /// Returns a future of this one's value, or with the result of a future that a function makes from its error.
  @preconcurrency
  public func recoverWith<NewError>(
    context: @escaping ExecutionContext = defaultContext(), task: @escaping @Sendable (E) -> Future<T, NewError>
  ) -> Future<T, NewError> {
    recoverWith(context, task: task)
  }
}

extension Promise {
  /// Completes the future with another one: `complete(with:)` under its name in BrightFutures.
  public func completeWith(_ other: Future<T, E>) {
    complete(with: other)
  }
}
