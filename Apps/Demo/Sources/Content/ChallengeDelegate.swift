internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Answers a server that wants a name and a password of its own kind, which these apps do not have: nothing.
///
/// On Linux a session without a delegate waits for ever then, and one whose delegate leaves the answer to it as well; a
/// refusal ends the request as cancelled. So who asked can find out here what it was.
///
/// `@unchecked Sendable`: `lock` guards `refused`.
final class ChallengeDelegate: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
  /// The header field that tells requests apart.
  static let field = "X-Request-ID"
  private let lock = NSLock()
  private var refused: Set<String> = []

  /// Whether a request ended because a name and a password were wanted; says so once.
  func hasRefused(_ request: String) -> Bool { lock.withLock { refused.remove(request) != nil } }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      if let request = task.originalRequest?.value(forHTTPHeaderField: Self.field) {
        lock.withLock { _ = refused.insert(request) }
      }
      completionHandler(.rejectProtectionSpace, nil)
    #else
      completionHandler(.performDefaultHandling, nil)
    #endif
  }
}
