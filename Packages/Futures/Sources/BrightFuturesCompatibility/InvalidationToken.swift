public protocol InvalidationTokenType: Sendable {
  var isInvalid: Bool { get }

  var future: Future<Never, FuturesError<Never>> { get }

  /// Returns a context that runs work in another context while the token is valid, and drops it afterwards.
  func validContext(_ parent: @escaping ExecutionContext) -> ExecutionContext
}

extension InvalidationTokenType {
  /// `defaultContext()` of the thread that reads this property, while the token is valid.
  public var validContext: ExecutionContext { validContext(defaultContext()) }

  /// The token is checked in the other context, immediately before the work.
  public func validContext(_ parent: @escaping ExecutionContext = defaultContext()) -> ExecutionContext {
    { work in
      parent { if !isInvalid { work() } }
    }
  }
}

public protocol ManualInvalidationTokenType: InvalidationTokenType {
  func invalidate()
}

/// A token that prevents callbacks that are no longer wanted; it stops no work.
///
/// ```swift
/// final class Screen {
///   private let token = InvalidationToken()
///   func load() { birds().onSuccess(token.validContext) { self.show($0) } }
///   deinit { token.invalidate() }
/// }
/// ```
///
/// If ``invalidate()`` is called in the serial context of the callbacks, for example both on the main queue, no callback runs after it has
/// returned. If it is called on another thread, a callback that has passed the check can still run.
public final class InvalidationToken: ManualInvalidationTokenType {
  public let future: Future<Never, FuturesError<Never>>
  private let complete: (@Sendable (Result<Never, FuturesError<Never>>) -> Void)?

  public init() {
    var complete: (@Sendable (Result<Never, FuturesError<Never>>) -> Void)?
    future = Future { complete = $0 }
    self.complete = complete
  }

  public var isInvalid: Bool { future.isCompleted }

  /// Further calls have no effect.
  public func invalidate() {
    complete?(.failure(.invalidationTokenInvalidated))
  }
}
