internal import Foundation
public import Futures
public import OrderTaking

/// The bearer token that requests carry, and where a fresh one comes from.
///
/// Requests that find the token refused at the same time share one refresh.
///
/// `@unchecked Sendable`: `token` and `refreshing` are read and written only while `lock` is held.
public final class TokenSource: @unchecked Sendable {
  private let lock = NSLock()
  private var token: String?
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

  /// Gets a fresh token, which later requests carry.
  ///
  /// - Returns: A future that succeeds when it is there, and fails as the refresh does; then the old one stays.
  public func renew() -> Future<Void, HTTPError> {
    let promise = Promise<Void, HTTPError>()
    let underWay = lock.withLock { () -> Future<Void, HTTPError>? in
      if let refreshing { return refreshing }
      refreshing = promise.future
      return nil
    }
    // Futures of their own, so that one who gives up does not end it for the others.
    if let underWay { return underWay.map(immediateExecutionContext) { $0 } }
    refresh().onComplete(immediateExecutionContext) { result in
      self.lock.withLock {
        if case .success(let token) = result { self.token = token }
        self.refreshing = nil
      }
      promise.complete(result.map { _ in () })
    }
    return promise.future.map(immediateExecutionContext) { $0 }
  }
}
