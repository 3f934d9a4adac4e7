internal import Foundation
internal import Futures
internal import FuturesNetworking
internal import FuturesNetworkingCurl

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Makes requests until it is closed.
///
/// Closing cancels the requests in flight.
struct RequestSession: Sendable {
  private let client: HTTPClient
  private let clock: any Clock<Duration>
  private let closing = Promise<Void, Never>()

  /// Creates a session that accepts requests.
  ///
  /// - Parameters:
  ///   - tls: The certificates.
  ///   - clock: The clock for the time limit of each request.
  init(_ tls: ClientTLS = .none, clock: any Clock<Duration> = ContinuousClock()) {
    client = .curl(tls.configuration(maxConcurrentRequests: 32))
    self.clock = clock
  }

  /// Requests a URL.
  ///
  /// After `close`, the future fails as interrupted without a request.
  func ask(for url: URL, within limit: Duration) -> Future<(Data, HTTPResponseHead), BirdsError> {
    client.dataFuture(with: url, within: HTTPLimits(connecting: nil, whole: nil), until: closing.future)
      .timeout(
        after: limit, on: clock, failingWith: NetworkError(.timedOut, request: URLRequest(url: url), limit: limit)
      )
      .mapError(immediateExecutionContext) { BirdsError($0) }
  }

  /// Cancels the requests in flight and rejects new ones.
  func close() { closing.success(()) }
}
