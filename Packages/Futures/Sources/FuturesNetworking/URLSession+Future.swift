public import Foundation
public import Futures

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSession {
  /// Starts an HTTP request, and returns a future of the body and the response.
  ///
  /// The future succeeds with a response of any status. The scheme of the URL is `http` or `https`. Cancelling the
  /// future, or the last future derived from it, cancels the request, and so does the completion of `end`. Invalidating
  /// the session also ends it.
  ///
  /// After `limit`, the request is cancelled, and the future fails with ``NetworkError/Kind/timedOut``. Without it, the
  /// request's own `timeoutInterval` applies, in whole seconds without a byte.
  ///
  /// Redirects: in a session without a delegate, or with a ``TransferGuard``, a redirect to another origin (scheme,
  /// host or port) is followed without the fields `Authorization`, `Proxy-Authorization` and `Cookie` of the request.
  /// Some redirects are not followed: the response is then the redirect itself. These repeat a request other than GET
  /// and HEAD, follow such a request to another origin, or lead from HTTPS to HTTP. A delegate of another type decides
  /// for itself.
  ///
  /// Authentication: a response that requests a user name and a password is returned as it is. On Linux its body is
  /// missing, and so is the body of a redirect in a session without a delegate.
  ///
  /// Known problems of Foundation on Linux, which this function cannot prevent:
  ///
  /// - The process stops if a connection closes inside a response's header ("Transfer completed, but there's no
  ///   response"). Send requests to servers that may do this from another process.
  /// - The process sometimes stops if a request is cancelled in a session with a cache. In such a session, which is the
  ///   default, the future ends but the transfer continues. The transfer ends with its response, or when no data has
  ///   arrived for the limit plus ten minutes. Without a limit, this time is the request's `timeoutInterval`. To cancel
  ///   transfers at once, set `configuration.urlCache = nil`.
  /// - All sessions share one queue. A call of this function waits while that queue is busy. Deadlines and
  ///   cancellations do not wait for it.
  /// - The process stops if an invalidated session starts a request, and sometimes if a session is invalidated while it
  ///   receives responses.
  ///
  /// - Returns: A future of the body and the response, in this order, or of a ``NetworkError``.
  ///
  /// ```swift
  /// URLSession.shared.dataFuture(for: URLRequest(url: url), within: .seconds(5))
  ///   .onSuccess { data, response in print(data.count) }
  ///   .onFailure { error in print(error) }
  /// ```
  public func dataFuture(
    for request: URLRequest,
    within limit: Duration? = nil,
    on clock: any Clock<Duration> = ContinuousClock(),
    until end: Future<Void, Never>? = nil
  ) -> Future<(Data, HTTPURLResponse), NetworkError> {
    let promise = Promise<(Data, HTTPURLResponse), NetworkError>()
    let exchange = DataExchange(request, in: self, limit: limit) { promise.complete($0) }
    promise.onCancel { exchange.cancel() }
    end?.observe(until: promise.future) { _ in exchange.cancel() }
    exchange.start(clock: clock)
    return promise.future
  }

  /// Starts a GET request for a URL, and returns a future of the body and the response.
  ///
  /// Like `dataFuture(for:)`.
  public func dataFuture(
    with url: URL,
    within limit: Duration? = nil,
    on clock: any Clock<Duration> = ContinuousClock(),
    until end: Future<Void, Never>? = nil
  ) -> Future<(Data, HTTPURLResponse), NetworkError> {
    dataFuture(for: URLRequest(url: url), within: limit, on: clock, until: end)
  }

  /// Performs an HTTP request and returns the body and the response.
  ///
  /// Cancelling the waiting task cancels the request and ends the wait at once.
  ///
  /// - Throws: ``NetworkError`` if the exchange fails.
  public func response(
    to request: URLRequest,
    within limit: Duration? = nil,
    on clock: any Clock<Duration> = ContinuousClock()
  ) async throws(NetworkError) -> (Data, HTTPURLResponse) {
    try await dataFuture(for: request, within: limit, on: clock).get()
  }
}
