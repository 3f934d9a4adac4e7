internal import Foundation
internal import Futures
internal import FuturesNetworking

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Makes requests until it is closed.
///
/// Closing cancels the requests in flight.
///
/// Foundation crashes if a request is made in an invalidated session, and sometimes if a session is invalidated during a
/// response. So a lock serialises requests and closing, and closing cancels each request separately.
///
/// `@unchecked Sendable`: `lock` guards `isOpen`.
final class RequestSession: @unchecked Sendable {
  /// The maximum size of a response in bytes.
  static let byteLimit = 16 << 20

  private let session: URLSession
  private let clock: any Clock<Duration>
  private let closing = Promise<Void, Never>()
  private let lock = NSLock()
  private var isOpen = true

  /// Creates a session that accepts requests.
  ///
  /// - Parameter clock: The clock for the time limit of each request.
  init(clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = clock
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 32
    // With a cache, cancelled requests would continue in the background on Linux.
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    session = URLSession(
      configuration: configuration, delegate: TransferGuard(byteLimit: Self.byteLimit), delegateQueue: nil)
  }

  /// Requests a URL.
  ///
  /// After `close`, the future fails as interrupted without a request.
  func ask(for url: URL, within limit: Duration) -> Future<(Data, HTTPURLResponse), BirdsError> {
    lock.withLock {
      guard isOpen else { return Future(error: .interrupted) }
      return session.dataFuture(with: url, within: limit, on: clock, until: closing.future)
        .mapError(immediateExecutionContext) { BirdsError($0) }
    }
  }

  /// Cancels the requests in flight and rejects new ones.
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
