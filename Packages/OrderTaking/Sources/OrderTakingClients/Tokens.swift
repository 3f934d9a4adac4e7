internal import Foundation
public import Futures
public import OrderTaking

/// The bearer token of requests, and the source of fresh tokens.
///
/// A refused token is replaced once, even if many requests fail with it.
///
/// `@unchecked Sendable`: the lock guards all variables.
public final class TokenSource: @unchecked Sendable {
  private let lock = NSLock()
  private var token: String?
  private var isRefused = false
  private var refreshing: Future<Void, HTTPError>?
  /// The result of an older refresh is ignored.
  private var refreshCount = 0
  private let limit: Duration
  private let clock: any Clock<Duration>
  private let refresh: @Sendable () -> Future<String, HTTPError>

  /// Creates a source; with `nil`, requests have no token until the first refresh.
  ///
  /// `refresh` is called once at a time. Its future is cancelled at the time limit, or when no request waits for it any more.
  public init(
    _ token: String? = nil, within limit: Duration = .seconds(10), on clock: any Clock<Duration> = ContinuousClock(),
    refresh: @escaping @Sendable () -> Future<String, HTTPError>
  ) {
    self.token = token
    self.limit = limit
    self.clock = clock
    self.refresh = refresh
  }

  public var current: String? { lock.withLock { token } }

  /// Requests a fresh token, unless the refused token was replaced already.
  ///
  /// ```swift
  /// let used = tokens.current
  /// // … a request with this token gets 401
  /// tokens.renew(insteadOf: used).onSuccess { sendAgain() }
  /// ```
  ///
  /// - Returns: A future that succeeds when ``current`` is another token, and fails if the refresh fails, at the time
  ///   limit with `HTTPError.timedOut`. Then the token stays.
  public func renew(insteadOf refused: String?) -> Future<Void, HTTPError> {
    noteRefusal(of: refused)
    return renewIfRefused()
  }

  func noteRefusal(of refused: String?) {
    // The server compares bytes, not characters.
    lock.withLock { if refused.map({ Array($0.utf8) }) == token.map({ Array($0.utf8) }) { isRefused = true } }
  }

  func renewIfRefused() -> Future<Void, HTTPError> {
    let promise = Promise<Void, HTTPError>()
    let (underWay, number) = lock.withLock { () -> (Future<Void, HTTPError>?, Int) in
      guard isRefused else { return (Future(value: ()), 0) }
      if let refreshing { return (refreshing, 0) }
      refreshing = promise.future
      refreshCount += 1
      return (nil, refreshCount)
    }
    // Each caller gets its own future, so that a cancelled caller does not cancel the others.
    if let underWay { return underWay.map(immediateExecutionContext) { $0 } }
    let request = refresh()
    request.timeout(after: limit, on: clock, failingWith: .timedOut).onComplete(immediateExecutionContext) { result in
      // At the time limit, the request still runs.
      request.cancel()
      if self.endRefresh(number, with: result) { promise.complete(result.map { _ in () }) }
    }
    promise.onCancel {
      _ = self.endRefresh(number, with: nil)
      request.cancel()
    }
    return promise.future.map(immediateExecutionContext) { $0 }
  }

  private func endRefresh(_ number: Int, with result: Result<String, HTTPError>?) -> Bool {
    lock.withLock {
      guard number == refreshCount, refreshing != nil else { return false }
      refreshing = nil
      if case .success(let token) = result { (self.token, isRefused) = (token, false) }
      return true
    }
  }
}
