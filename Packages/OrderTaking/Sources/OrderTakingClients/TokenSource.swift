internal import Foundation
public import Futures
public import OrderTaking

/// The bearer token that requests carry, and where a fresh one comes from.
///
/// However many requests find a token refused, at the same time or one after the other, it is replaced once.
///
/// `@unchecked Sendable`: `token`, `isRefused` and `refreshing` are read and written only while `lock` is held.
public final class TokenSource: @unchecked Sendable {
  private let lock = NSLock()
  private var token: String?
  /// Whether a server has refused the present token.
  private var isRefused = false
  private var refreshing: Future<Void, HTTPError>?
  private let refresh: @Sendable () -> Future<String, HTTPError>

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - token: The token to begin with; `nil` sends none until there is one.
  ///   - refresh: Gets a fresh token, from a log-in service, say. Called once at a time.
  public init(_ token: String? = nil, refresh: @escaping @Sendable () -> Future<String, HTTPError>) {
    self.token = token
    self.refresh = refresh
  }

  /// The token that the next request carries.
  public var current: String? { lock.withLock { token } }

  /// Gets a fresh token in the place of one that was refused, unless that has been replaced already.
  ///
  /// ```swift
  /// let used = tokens.current
  /// // … a request that carried it is answered with 401
  /// tokens.renew(insteadOf: used).onSuccess { sendAgain() }
  /// ```
  ///
  /// - Parameter refused: What the refused request carried; `nil` for none.
  /// - Returns: A future that succeeds when another token is there, at once when there is one, and fails as the refresh
  ///   does; then the old one stays.
  public func renew(insteadOf refused: String?) -> Future<Void, HTTPError> {
    noteRefusal(of: refused)
    return renewIfRefused()
  }

  /// Remembers that a server has refused a token, if it is the present one.
  func noteRefusal(of refused: String?) {
    lock.withLock { if refused == token { isRefused = true } }
  }

  /// Gets a fresh token if the present one was refused.
  func renewIfRefused() -> Future<Void, HTTPError> {
    let promise = Promise<Void, HTTPError>()
    let underWay = lock.withLock { () -> Future<Void, HTTPError>? in
      guard isRefused else { return Future(value: ()) }
      if let refreshing { return refreshing }
      refreshing = promise.future
      return nil
    }
    // Futures of their own, so that one who gives up does not end it for the others.
    if let underWay { return underWay.map(immediateExecutionContext) { $0 } }
    refresh().onComplete(immediateExecutionContext) { result in
      self.lock.withLock {
        if case .success(let token) = result { (self.token, self.isRefused) = (token, false) }
        self.refreshing = nil
      }
      promise.complete(result.map { _ in () })
    }
    return promise.future.map(immediateExecutionContext) { $0 }
  }
}
