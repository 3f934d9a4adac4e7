public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A delegate for a session that asks servers which nobody vouches for: an answer has a largest size.
///
/// ```swift
/// let configuration = URLSessionConfiguration.ephemeral
/// configuration.urlCache = nil
/// let session = URLSession(
///   configuration: configuration, delegate: TransferGuard(mostBytes: 16 << 20), delegateQueue: nil)
/// session.dataFuture(with: url)
///   .onFailure { error in if error.kind == .tooLarge { print(error) } }
/// ```
///
/// - An answer of more bytes than are allowed, as they are after decompression, fails with
///   ``NetworkError/Kind/tooLarge`` as soon as there is one more, and is not read on.
/// - Redirects are followed, and a name and a password that are asked for refused, as `dataFuture` does it in a session
///   without a delegate.
///
/// What it cannot keep out is said at `dataFuture`: on Linux, an answer whose header is cut off ends the process.
///
/// It sees to requests that are made by `dataFuture` and `response(to:)`; others end as in a session whose delegate
/// does nothing. One may serve several sessions. Safe to use from any thread.
///
/// `@unchecked Sendable`: `lock` guards `transfers`.
public final class TransferGuard: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  /// The most bytes that an answer may have.
  public let mostBytes: Int

  private struct Transfer {
    let exchange: DataExchange
    var data = Data()
    /// Too much has come; what still comes is not kept.
    var isOver = false
  }

  private let lock = NSLock()
  private var transfers: [ObjectIdentifier: Transfer] = [:]

  /// Creates a guard.
  ///
  /// - Parameter mostBytes: The most bytes that an answer may have; less than none counts as none.
  public init(mostBytes: Int) { self.mostBytes = max(mostBytes, 0) }

  func add(_ exchange: DataExchange, for task: URLSessionTask) {
    lock.withLock { transfers[ObjectIdentifier(task)] = Transfer(exchange: exchange) }
  }

  func remove(_ task: URLSessionTask) {
    lock.withLock { _ = transfers.removeValue(forKey: ObjectIdentifier(task)) }
  }

  private func exchange(of task: URLSessionTask) -> DataExchange? {
    lock.withLock { transfers[ObjectIdentifier(task)]?.exchange }
  }

  /// Keeps what has come, unless it is too much.
  public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let id = ObjectIdentifier(dataTask)
    let tooMuch = lock.withLock { () -> DataExchange? in
      // In place: a copy at hand would make each piece copy all before it.
      guard let kept = transfers[id]?.data.count, transfers[id]?.isOver == false else { return nil }
      guard data.count <= mostBytes - kept else {
        transfers[id]?.data = Data()
        transfers[id]?.isOver = true
        return transfers[id]?.exchange
      }
      transfers[id]?.data.append(data)
      return nil
    }
    tooMuch?.endAsTooLarge(mostBytes)
  }

  /// Hands on what has come.
  public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let transfer = lock.withLock { transfers.removeValue(forKey: ObjectIdentifier(task)) }
    transfer?.exchange.receive(transfer?.data, task.response, error)
  }

  /// Decides whether a redirect is followed, and with which header fields.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    guard let exchange = exchange(of: task) else { return completionHandler(request) }
    exchange.redirect(to: request, completionHandler)
  }

  /// Refuses a name and a password that are asked for, since there are none.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard let exchange = exchange(of: task) else { return completionHandler(.performDefaultHandling, nil) }
    exchange.refuse(challenge, completionHandler)
  }
}

/// What ``TransferGuard`` does but for the size, for one task of a session that has no delegate.
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
    exchange.refuse(challenge, completionHandler)
  }
}
