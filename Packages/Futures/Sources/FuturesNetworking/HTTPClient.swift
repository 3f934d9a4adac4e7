public import Foundation
public import Futures

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A client that sends HTTP requests, as a struct of closures.
///
/// ```swift
/// let client = HTTPClient.urlSession(session)   // on Linux: .curl(), in FuturesNetworkingCurl
/// client.dataFuture(with: url)
///   .onSuccess { data, response in print(response.statusCode, data.count) }
///   .onFailure { error in print(error) }
/// ```
///
/// Redirects: a redirect to another origin (scheme, host or port) is followed without the fields `Authorization`,
/// `Proxy-Authorization` and `Cookie` of the request. A redirect is not followed if it would repeat a method other than GET and HEAD,
/// if it leaves the origin after such a method, or if it leads from HTTPS to HTTP. Then the response is the redirect itself. In a URL
/// session with a delegate of another type than ``TransferGuard``, that delegate decides.
public struct HTTPClient: Sendable {
  /// Sends a request, and passes the parts of the response's body to a function.
  ///
  /// The future succeeds after the last part, with a response of any status. Cancelling it cancels the request. The function is called
  /// with one part after the other, on a thread of the client, and must return at once. After a failure,
  /// at most one more part can arrive.
  public var stream:
    @Sendable (URLRequest, HTTPLimits, _ receive: @escaping @Sendable (Data) -> Void)
      -> Future<HTTPResponseHead, NetworkError>

  public init(
    stream:
      @escaping @Sendable (URLRequest, HTTPLimits, _ receive: @escaping @Sendable (Data) -> Void)
      -> Future<HTTPResponseHead, NetworkError>
  ) {
    self.stream = stream
  }

  /// Sends a request, and returns a future of the body and of a response of any status.
  ///
  /// The scheme of the URL is `http` or `https`. The completion of `end` cancels the request; if it is completed
  /// already, the request is not sent.
  public func dataFuture(
    for request: URLRequest, within limits: HTTPLimits = HTTPLimits(), until end: Future<Void, Never>? = nil
  ) -> Future<(Data, HTTPResponseHead), NetworkError> {
    if end?.isCompleted == true { return Future(error: NetworkError(.cancelled, request: request, phase: .connecting)) }
    let body = CollectedBody()
    let response = stream(request, limits) { body.append($0) }
    end?.observe(until: response) { _ in response.cancel() }
    return response.map(immediateExecutionContext) { (body.data, $0) }
  }

  /// Sends a GET request, and returns a future of the body and the response.
  ///
  /// Like `dataFuture(for:)`.
  public func dataFuture(
    with url: URL, within limits: HTTPLimits = HTTPLimits(), until end: Future<Void, Never>? = nil
  ) -> Future<(Data, HTTPResponseHead), NetworkError> {
    dataFuture(for: URLRequest(url: url), within: limits, until: end)
  }

  /// Sends a request, requires a status of 2xx, and returns a future of the decoded JSON body.
  ///
  /// - Returns: A future of the value, or of a ``NetworkError``: ``NetworkError/Kind/badStatus`` for another status,
  ///   ``NetworkError/Kind/invalidJSON`` for another body.
  public func jsonFuture<Value: Decodable & Sendable>(
    of type: Value.Type, for request: URLRequest, within limits: HTTPLimits = HTTPLimits(),
    decoder: JSONDecoder = JSONDecoder()
  ) -> Future<Value, NetworkError> {
    dataFuture(for: request, within: limits).flatMap(immediateExecutionContext) { data, response in
      decoded(data, response.statusCode, of: request, using: decoder)
    }
  }
}

/// The limits of an HTTP exchange.
///
/// A `nil` time is unlimited. Times are measured on the `ContinuousClock`.
public struct HTTPLimits: Sendable, Equatable {
  /// The maximum time to connect, with the look-up of the host and TLS.
  ///
  /// It begins when the request leaves the queue, and again for each redirect. `HTTPClient.urlSession` ignores it.
  public var connecting: Duration?
  /// The maximum time until the first byte of a response, from the creation of the request.
  ///
  /// `HTTPClient.urlSession` ignores it.
  public var firstByte: Duration?
  /// The maximum time for the whole exchange, with redirects.
  public var whole: Duration?
  /// The maximum number of bytes in the body, counted after decompression.
  ///
  /// `URLSession` checks it after the whole body has arrived, and a ``TransferGuard`` during the transfer.
  public var bodyBytes: Int

  public init(
    connecting: Duration? = .seconds(10), firstByte: Duration? = nil, whole: Duration? = .seconds(60),
    bodyBytes: Int = 16 << 20
  ) {
    (self.connecting, self.firstByte, self.whole, self.bodyBytes) = (connecting, firstByte, whole, max(0, bodyBytes))
  }
}

/// `@unchecked Sendable`: `lock` guards `parts`.
private final class CollectedBody: @unchecked Sendable {
  private let lock = NSLock()
  private var parts = Data()

  func append(_ part: Data) { lock.withLock { parts.append(part) } }
  var data: Data { lock.withLock { parts } }
}
