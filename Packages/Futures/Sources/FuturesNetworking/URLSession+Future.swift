public import Foundation
public import Futures

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSession {
  /// Starts a request, and returns a future of its body and its response.
  ///
  /// The future succeeds with any response, whatever its status. Cancelling it cancels the request; so does cancelling
  /// what is made from it, when nobody else waits. Invalidating the session ends it too, but Foundation stops the
  /// process when a session that was invalidated is asked again, and on Linux now and then when it is invalidated while
  /// answers come in.
  ///
  /// On Linux, Foundation stops the process when a connection ends inside the header of an answer ("Transfer completed,
  /// but there's no response"), and nothing here can keep it from that: whoever asks a server that may do so, and has
  /// to live through it, asks in another process.
  ///
  /// On Linux, Foundation also stops the process now and then when a request is cancelled in a session that has a
  /// cache, as all have unless told otherwise. There the future ends, and the transfer goes on unseen, until its answer
  /// or at most ten minutes more. To have it end at once, give the session none: `configuration.urlCache = nil`.
  ///
  /// In a session without a delegate, or with a ``TransferGuard``, a redirect to another origin (scheme, host or port)
  /// is followed without the fields `Authorization`, `Proxy-Authorization` and `Cookie` that the request was given,
  /// which Foundation on Linux takes along. It is not followed where something would be sent anew that is no GET and no
  /// HEAD, nor to another origin after such a request: the answer is then the redirect itself, such as one with status
  /// 307. And an answer that asks for a name and a password is the answer. On Linux the latter comes without its body,
  /// as a redirect does in a session without a delegate. A delegate of another type decides itself.
  ///
  /// - Parameters:
  ///   - request: What to ask for.
  ///   - limit: How long the whole answer may take; then the request is cancelled and the future fails with
  ///     ``NetworkError/Kind/timedOut``. Without it the request's own `timeoutInterval` counts, in whole seconds
  ///     without any byte.
  ///   - clock: Whose time the limit is.
  ///   - end: When it completes, the request is cancelled and the future fails with ``NetworkError/Kind/cancelled``;
  ///     when it is completed already, nothing is sent.
  /// - Returns: A future of the body and the response, in this order.
  ///
  /// ```swift
  /// URLSession.shared.dataFuture(for: URLRequest(url: url), within: .seconds(5))
  ///   .onSuccess { data, response in print(data.count) }
  ///   .onFailure { error in print(error) }
  /// ```
  ///
  /// Source: the extension of `NSURLSession` in *Beyond the block based API: Building a simple future*.
  public func dataFuture(
    for request: URLRequest,
    within limit: Duration? = nil,
    on clock: any Clock<Duration> = ContinuousClock(),
    until end: Future<Void, Never>? = nil
  ) -> Future<(Data, URLResponse), NetworkError> {
    let promise = Promise<(Data, URLResponse), NetworkError>()
    let exchange = DataExchange(request, in: self, limit: limit) { promise.complete($0) }
    promise.onCancel { exchange.cancel() }
    end?.observe(until: promise.future) { _ in exchange.cancel() }
    exchange.start(clock: clock)
    return promise.future
  }

  /// Starts a request for a URL, and returns a future of its body and its response.
  ///
  /// The same as the other form, with a request of the defaults.
  public func dataFuture(
    with url: URL,
    within limit: Duration? = nil,
    on clock: any Clock<Duration> = ContinuousClock(),
    until end: Future<Void, Never>? = nil
  ) -> Future<(Data, URLResponse), NetworkError> {
    dataFuture(for: URLRequest(url: url), within: limit, on: clock, until: end)
  }

  /// Performs a request and waits for its body and its response.
  ///
  /// Cancelling the waiting task cancels the request and ends the wait at once.
  ///
  /// - Parameters:
  ///   - request: What to ask for.
  ///   - limit: How long the whole answer may take; see `dataFuture`.
  ///   - clock: Whose time the limit is.
  /// - Returns: The body and the response, in this order, whatever the status.
  /// - Throws: ``NetworkError`` when there is no response.
  public func response(
    to request: URLRequest,
    within limit: Duration? = nil,
    on clock: any Clock<Duration> = ContinuousClock()
  ) async throws(NetworkError) -> (Data, URLResponse) {
    try await dataFuture(for: request, within: limit, on: clock).get()
  }
}
