internal import Dispatch

/// Tells callbacks that they are not wanted any more.
///
/// ```swift
/// final class Screen {
///   private let token = InvalidationToken()
///   func load() { birds().onSuccess(token.validContext) { self.show($0) } }
///   deinit { token.invalidate() }
/// }
/// ```
///
/// A callback in a ``validContext`` is not called once the token is invalid: invalidating waits for nothing, but a
/// callback that has not begun then never does.
public final class InvalidationToken: Sendable {
  private let promise = Promise<Never, FuturesError<Never>>(origin: nil)

  /// Creates a token that is valid.
  public init() {}

  /// Whether the token has been invalidated.
  public var isInvalid: Bool { promise.future.isCompleted }

  /// Makes the token invalid, for good; calling it again changes nothing.
  public func invalidate() {
    promise.failure(.invalidationTokenInvalidated)
  }

  /// A future that fails when the token is invalidated.
  public var future: Future<Never, FuturesError<Never>> { promise.future }

  /// Where ``defaultContext()`` leads from the thread that registers, while the token is valid; after that, nowhere.
  public var validContext: ExecutionContext { validContext(defaultContext()) }

  /// Where another context leads while the token is valid; after that, nowhere.
  public func validContext(_ parent: @escaping ExecutionContext) -> ExecutionContext {
    { [promise] work in
      parent { if !promise.future.isCompleted { work() } }
    }
  }
}
