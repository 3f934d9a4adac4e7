internal import Foundation
internal import Futures
internal import FuturesNetworking

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Where requests are made until it closes, which ends those under way.
///
/// Foundation ends the process when a request is made in a session that was invalidated, and now and then when a session
/// is invalidated while answers come in. Ctrl-C may come at any moment: so making a request and closing take turns, and
/// closing cancels each request by itself.
///
/// `@unchecked Sendable`: `lock` guards `isOpen`.
final class RequestDesk: @unchecked Sendable {
  /// How many bytes an answer may have: more than a list or a picture of birds needs.
  static let mostBytes = 16 << 20

  private let session: URLSession
  private let clock: any Clock<Duration>
  private let closing = Promise<Void, Never>()
  private let lock = NSLock()
  private var isOpen = true

  /// Opens it.
  ///
  /// - Parameter clock: What the limit of each request is measured by.
  init(clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = clock
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 32
    // With a cache, requests that are cancelled would go on unseen on Linux.
    configuration.urlCache = nil
    // Nothing here is told apart by cookies.
    configuration.httpCookieStorage = nil
    session = URLSession(
      configuration: configuration, delegate: TransferGuard(mostBytes: Self.mostBytes), delegateQueue: nil)
  }

  /// Asks for what is at a URL; once the desk has closed, the future fails as interrupted, without a request.
  func ask(for url: URL, within limit: Duration) -> Future<(Data, URLResponse), BirdsError> {
    lock.withLock {
      guard isOpen else { return Future(error: .interrupted) }
      return session.dataFuture(with: url, within: limit, on: clock, until: closing.future)
        .mapError(immediateExecutionContext) { BirdsError($0) }
    }
  }

  /// Ends the requests under way, and takes no more.
  func close() {
    let wasOpen = lock.withLock {
      defer { isOpen = false }
      return isOpen
    }
    guard wasOpen else { return }
    closing.success(())
    session.finishTasksAndInvalidate()
  }
}
