public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A session delegate that limits the size of responses, for requests to untrusted servers.
///
/// ```swift
/// let configuration = URLSessionConfiguration.ephemeral
/// configuration.urlCache = nil
/// let session = URLSession(
///   configuration: configuration, delegate: TransferGuard(byteLimit: 16 << 20), delegateQueue: nil)
/// session.dataFuture(with: url)
///   .onFailure { error in if error.kind == .tooLarge { print(error) } }
/// ```
///
/// - A response with a longer body, counted after decompression, fails with ``NetworkError/Kind/tooLarge`` at the first
///   byte beyond the limit. The rest is not read.
/// - Redirects and authentication challenges are handled as `dataFuture` handles them in a session without a delegate.
///
/// On Linux, a truncated response header still ends the process; see `dataFuture`.
///
/// The guard handles the requests of `dataFuture`, `jsonFuture` and `response(to:)`. It ignores other requests of its
/// sessions. A guard can serve several sessions. It is safe to use from any thread.
///
/// `@unchecked Sendable`: `lock` guards `transfers`.
public final class TransferGuard: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  public let byteLimit: Int

  private struct Transfer {
    let exchange: DataExchange
    var data = Data()
    /// Whether the limit was exceeded, so that further data is dropped.
    var isTooLarge = false
  }

  private let lock = NSLock()
  private var transfers: [ObjectIdentifier: Transfer] = [:]

  /// A negative limit counts as 0.
  public init(byteLimit: Int) { self.byteLimit = max(byteLimit, 0) }

  package var transferCount: Int { lock.withLock { transfers.count } }

  func add(_ exchange: DataExchange, for task: URLSessionTask) {
    lock.withLock { transfers[ObjectIdentifier(task)] = Transfer(exchange: exchange) }
  }

  func remove(_ task: URLSessionTask) {
    lock.withLock { _ = transfers.removeValue(forKey: ObjectIdentifier(task)) }
  }

  private func exchange(of task: URLSessionTask) -> DataExchange? {
    lock.withLock { transfers[ObjectIdentifier(task)]?.exchange }
  }

  public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let id = ObjectIdentifier(dataTask)
    let failed = lock.withLock { () -> DataExchange? in
      // Changed in place. Appending to a copy would copy all data before it.
      guard let count = transfers[id]?.data.count, transfers[id]?.isTooLarge == false else { return nil }
      guard data.count <= byteLimit - count else {
        transfers[id]?.data = Data()
        transfers[id]?.isTooLarge = true
        return transfers[id]?.exchange
      }
      transfers[id]?.data.append(data)
      return nil
    }
    failed?.endAsTooLarge(byteLimit)
  }

  public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let transfer = lock.withLock { transfers.removeValue(forKey: ObjectIdentifier(task)) }
    transfer?.exchange.receive(transfer?.data, task.response, error)
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    guard let exchange = exchange(of: task) else { return completionHandler(request) }
    exchange.redirect(to: request, completionHandler)
  }

  /// Refuses an authentication challenge, which completes the request with the response that made the challenge.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard let exchange = exchange(of: task) else { return completionHandler(.performDefaultHandling, nil) }
    exchange.refuse(challenge, for: task, completionHandler)
  }
}

/// Handles redirects and challenges like ``TransferGuard``, for one task of a session without a delegate.
final class TaskGuard: NSObject, URLSessionTaskDelegate {
  private let exchange: DataExchange

  init(_ exchange: DataExchange) { self.exchange = exchange }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    exchange.redirect(to: request, completionHandler)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    exchange.refuse(challenge, for: task, completionHandler)
  }
}
