public import Foundation
public import Futures

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

// The form for Apple's platforms. On Linux, Foundation can end the process if a connection closes inside a response's header, or if a
// request is cancelled in a session with a cache.

extension HTTPClient {
  /// Returns a client that uses a URL session.
  ///
  /// It passes the whole body as one part. On Linux, use `.curl()` of FuturesNetworkingCurl.
  public static func urlSession(_ session: URLSession) -> HTTPClient {
    HTTPClient { request, limits, receive in
      session.dataFuture(
        for: request, within: limits.whole, on: ContinuousClock(), followsRedirects: limits.followsRedirects
      )
      .flatMapResult(immediateExecutionContext) { data, response -> Result<HTTPResponseHead, NetworkError> in
        guard data.count <= limits.bodyBytes else {
          return .failure(NetworkError(.tooLarge, request: request, byteLimit: limits.bodyBytes))
        }
        if !data.isEmpty { receive(data) }
        let fields = response.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
        return .success(
          HTTPResponseHead(
            url: response.url, statusCode: response.statusCode, headerFields: Dictionary(fields) { first, _ in first }
          ))
      }
    }
  }
}

extension URLSession {
  /// Starts an HTTP request, and returns a future of the body and the response.
  ///
  /// The future succeeds with a response of any status. Cancelling it, or the last future derived from it, cancels the request. Redirects
  /// are followed as ``HTTPClient`` describes, unless the session has a delegate, which then decides.
  ///
  /// After `limit`, the request is cancelled, and the future fails with ``NetworkError/Kind/timedOut``. Without it, the
  /// request's own `timeoutInterval` applies.
  ///
  /// On Linux, use `HTTPClient.curl()` of FuturesNetworkingCurl. Foundation there ends the process if a connection closes inside a
  /// response's header. In a session with a cache, a cancelled request continues, because stopping it could end the process;
  /// `configuration.urlCache = nil` removes the cache.
  /// A response that requests a user name and a password has an empty body.
  ///
  /// ```swift
  /// URLSession.shared.dataFuture(for: URLRequest(url: url), within: .seconds(5))
  ///   .onSuccess { data, response in print(data.count) }
  ///   .onFailure { error in print(error) }
  /// ```
  public func dataFuture(
    for request: URLRequest, within limit: Duration? = nil, on clock: any Clock<Duration> = ContinuousClock()
  ) -> Future<(Data, HTTPURLResponse), NetworkError> {
    dataFuture(for: request, within: limit, on: clock, followsRedirects: true)
  }

  fileprivate func dataFuture(
    for request: URLRequest, within limit: Duration?, on clock: any Clock<Duration>, followsRedirects: Bool
  ) -> Future<(Data, HTTPURLResponse), NetworkError> {
    if let error = request.sendingError { return Future(error: error) }
    var patient = request
    // Otherwise the request could end before the limit.
    if let limit { patient.timeoutInterval = max(patient.timeoutInterval, limit / .seconds(1) + 60) }
    let promise = Promise<(Data, HTTPURLResponse), NetworkError>()
    let task = dataTask(with: patient) { data, response, error in
      guard let response = response as? HTTPURLResponse, error == nil else {
        promise.tryFailure(NetworkError(error, request: request))
        return
      }
      promise.trySuccess((data ?? Data(), response))
    }
    if delegate == nil { task.delegate = TaskDelegate(request, promise, followsRedirects) }
    promise.onCancel {
      promise.tryFailure(NetworkError(.cancelled, request: request))
      #if canImport(FoundationNetworking)
        // In a session with a cache, cancelling can end the process, so the transfer continues.
        guard self.configuration.urlCache == nil else { return }
      #endif
      // On Linux, cancelling waits for a queue that all sessions share.
      DispatchQueue.global().async { task.cancel() }
    }
    task.resume()
    guard let limit else { return promise.future }
    return promise.future.timeout(
      after: limit, on: clock, failingWith: NetworkError(.timedOut, request: request, limit: limit))
  }

  /// Starts a GET request, like `dataFuture(for:)`.
  public func dataFuture(
    with url: URL, within limit: Duration? = nil, on clock: any Clock<Duration> = ContinuousClock()
  ) -> Future<(Data, HTTPURLResponse), NetworkError> {
    dataFuture(for: URLRequest(url: url), within: limit, on: clock)
  }

  /// Starts an HTTP request, and returns a future of the decoded JSON body.
  ///
  /// It fails with ``NetworkError/Kind/badStatus`` if the status is not 2xx, and with ``NetworkError/Kind/invalidJSON`` for another body.
  ///
  /// ```swift
  /// URLSession.shared.jsonFuture(of: [Bird].self, with: url, within: .seconds(5))
  ///   .onSuccess { birds in show(birds) }
  ///   .onFailure { error in print(error) }
  /// // Cannot GET http://127.0.0.1:8080/birds: the body is not the expected JSON: `name` is missing at [2]. …
  /// ```
  public func jsonFuture<Value: Decodable & Sendable>(
    of type: Value.Type, for request: URLRequest, within limit: Duration? = nil,
    on clock: any Clock<Duration> = ContinuousClock(), decoder: JSONDecoder = JSONDecoder()
  ) -> Future<Value, NetworkError> {
    dataFuture(for: request, within: limit, on: clock).flatMapResult(immediateExecutionContext) { data, response in
      decoded(data, response.statusCode, of: request, using: decoder)
    }
  }

  /// Starts a GET request, like `jsonFuture(of:for:)`.
  public func jsonFuture<Value: Decodable & Sendable>(
    of type: Value.Type, with url: URL, within limit: Duration? = nil,
    on clock: any Clock<Duration> = ContinuousClock(), decoder: JSONDecoder = JSONDecoder()
  ) -> Future<Value, NetworkError> {
    jsonFuture(of: type, for: URLRequest(url: url), within: limit, on: clock, decoder: decoder)
  }
}

private final class TaskDelegate: NSObject, URLSessionTaskDelegate {
  private let original: URLRequest
  private let promise: Promise<(Data, HTTPURLResponse), NetworkError>
  private let followsRedirects: Bool

  init(
    _ original: URLRequest, _ promise: Promise<(Data, HTTPURLResponse), NetworkError>, _ followsRedirects: Bool
  ) {
    (self.original, self.promise, self.followsRedirects) = (original, promise, followsRedirects)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(followsRedirects ? request.followed(from: original) : nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // On Linux, a task with a challenge never completes by itself.
      if let response = challenge.failureResponse as? HTTPURLResponse { promise.trySuccess((Data(), response)) }
      completionHandler(.rejectProtectionSpace, nil)
    #else
      completionHandler(.performDefaultHandling, nil)
    #endif
  }
}
