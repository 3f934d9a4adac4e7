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
}

extension Promise {
  /// Completes the future with another one: `complete(with:)` under its name in BrightFutures.
  public func completeWith(_ other: Future<T, E>) {
    complete(with: other)
  }
}
