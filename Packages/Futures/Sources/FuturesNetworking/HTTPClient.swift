public import Foundation
public import Futures

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A client that sends HTTP requests, as a struct of closures.
///
/// ```swift
/// let client = HTTPClient.curl()   // in FuturesNetworkingCurl; on Apple's platforms also .urlSession(session)
/// client.jsonFuture(of: [Bird].self, with: url)
///   .onSuccess { birds in print(birds.count) }
///   .onFailure { error in print(error) }
/// ```
///
/// Redirects: a redirect to another origin (scheme, host or port) is followed without the fields `Authorization`,
/// `Proxy-Authorization` and `Cookie` of the request, and without the user name and password of its URL. A redirect is not followed if it
/// would repeat a method other than GET and HEAD, if it leaves the origin after such a method, or if it leads from HTTPS to HTTP. Then the
/// response is the redirect itself.
public struct HTTPClient: Sendable {
  /// Sends a request, and passes the parts of the response's body to a function.
  ///
  /// The future succeeds after the last part, with a response of any status. Cancelling it cancels the request. The function is called
  /// with one part after the other, on a thread of the client, and must not block. After a failure, at most one more part can arrive.
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

  /// Returns a client for tests, which answers each request with the result of a function.
  ///
  /// The function is called before `dataFuture` or `jsonFuture` returns. Errors of other types become a ``NetworkError``.
  ///
  /// ```swift
  /// let client = HTTPClient.stub { request in
  ///   guard request.url?.path() == "/birds" else { throw NetworkError(.timedOut, request: request) }
  ///   return (Data(#"["puffin"]"#.utf8), HTTPResponseHead(statusCode: 200))
  /// }
  /// ```
  public static func stub(
    _ respond: @escaping @Sendable (URLRequest) throws -> (Data, HTTPResponseHead)
  ) -> HTTPClient {
    HTTPClient { request, _, receive in
      do {
        let (body, head) = try respond(request)
        if !body.isEmpty { receive(body) }
        return Future(
          value: HTTPResponseHead(
            url: head.url ?? request.url, statusCode: head.statusCode, headerFields: head.allHeaderFields))
      } catch {
        return Future(error: error as? NetworkError ?? NetworkError(error, request: request))
      }
    }
  }

  /// Sends a request, and returns a future of the body and of a response of any status.
  ///
  /// The scheme of the URL is `http` or `https`. Cancelling the future, or the last future derived from it, cancels the request.
  public func dataFuture(
    for request: URLRequest, within limits: HTTPLimits = HTTPLimits()
  ) -> Future<(Data, HTTPResponseHead), NetworkError> {
    let body = CollectedBody()
    return stream(request, limits) { body.append($0) }.map(immediateExecutionContext) { (body.data, $0) }
      .namingCancellation(of: request)
  }

  /// Sends a GET request, like `dataFuture(for:)`.
  public func dataFuture(
    with url: URL, within limits: HTTPLimits = HTTPLimits()
  ) -> Future<(Data, HTTPResponseHead), NetworkError> {
    dataFuture(for: URLRequest(url: url), within: limits)
  }

  /// Sends a request, and returns a future of the decoded JSON body.
  ///
  /// It fails with ``NetworkError/Kind/badStatus`` if the status is not 2xx, and with ``NetworkError/Kind/invalidJSON`` for another body.
  public func jsonFuture<Value: Decodable & Sendable>(
    of type: Value.Type, for request: URLRequest, within limits: HTTPLimits = HTTPLimits(),
    decoder: JSONDecoder = JSONDecoder()
  ) -> Future<Value, NetworkError> {
    dataFuture(for: request, within: limits).flatMapResult(immediateExecutionContext) { data, response in
      decoded(data, response.statusCode, of: request, using: decoder)
    }
    .namingCancellation(of: request)
  }

  /// Sends a GET request, like `jsonFuture(of:for:)`.
  public func jsonFuture<Value: Decodable & Sendable>(
    of type: Value.Type, with url: URL, within limits: HTTPLimits = HTTPLimits(), decoder: JSONDecoder = JSONDecoder()
  ) -> Future<Value, NetworkError> {
    jsonFuture(of: type, for: URLRequest(url: url), within: limits, decoder: decoder)
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
  /// `HTTPClient.urlSession` checks it after the whole body has arrived.
  public var bodyBytes: Int
  /// Whether redirects are followed, as ``HTTPClient`` describes; otherwise the response is the redirect itself.
  public var followsRedirects: Bool

  public init(
    connecting: Duration? = .seconds(10), firstByte: Duration? = nil, whole: Duration? = .seconds(60),
    bodyBytes: Int = 16 << 20, followsRedirects: Bool = true
  ) {
    (self.connecting, self.firstByte, self.whole, self.bodyBytes) = (connecting, firstByte, whole, max(0, bodyBytes))
    self.followsRedirects = followsRedirects
  }
}

/// The status and the header fields of a response.
///
/// Its members are named as in `HTTPURLResponse`.
public struct HTTPResponseHead: Sendable, Hashable {
  /// The URL of the response, after redirects.
  public let url: URL?
  public let statusCode: Int
  /// The header fields, with the names as received.
  ///
  /// The values of fields with the same name are joined with a comma. `Content-Encoding` and `Content-Length` describe the body as it was
  /// sent, also if it has been decompressed.
  public let allHeaderFields: [String: String]

  public init(url: URL? = nil, statusCode: Int, headerFields: [String: String] = [:]) {
    self.url = url
    self.statusCode = statusCode
    allHeaderFields = headerFields
  }

  /// Returns the value of a header field; the case of its name does not matter.
  public func value(forHTTPHeaderField name: String) -> String? {
    allHeaderFields[name] ?? allHeaderFields.first { $0.key.lowercased() == name.lowercased() }?.value
  }
}

extension Future where E == NetworkError {
  /// Adds the method and the URL of the request to the error of a cancellation.
  fileprivate func namingCancellation(of request: URLRequest) -> Future<T, E> {
    let promise = Promise<T, E>()
    promise.onCancel { promise.tryFailure(NetworkError(.cancelled, request: request)) }
    promise.complete(with: self)
    return promise.future
  }
}

/// `@unchecked Sendable`: `lock` guards `parts`.
private final class CollectedBody: @unchecked Sendable {
  private let lock = NSLock()
  private var parts = Data()

  func append(_ part: Data) { lock.withLock { parts.append(part) } }
  var data: Data { lock.withLock { parts } }
}

// MARK: JSON

func decoded<Value: Decodable>(
  _ data: Data, _ status: Int, of request: URLRequest, using decoder: JSONDecoder
) -> Result<Value, NetworkError> {
  guard (200..<300).contains(status) else {
    return .failure(NetworkError(.badStatus, request: request, statusCode: status))
  }
  return Result { try decoder.decode(Value.self, from: data) }.mapError { error in
    NetworkError(
      .invalidJSON, request: request, statusCode: status, reason: data.isEmpty ? "it is empty" : fault(in: error))
  }
}

/// Returns the fault of a body and its place, such as "`name` is missing at [2].bird".
private func fault(in error: any Error) -> String {
  switch error {
  case DecodingError.keyNotFound(let key, let context): "`\(key.stringValue)` is missing at \(path(context))"
  case DecodingError.valueNotFound(let type, let context):
    "the value at \(path(context)) is null or missing instead of \(name(type))"
  case DecodingError.typeMismatch(let type, let context): "the value at \(path(context)) is not \(name(type))"
  case DecodingError.dataCorrupted(let context):
    "the value at \(path(context)) is invalid: \(context.debugDescription.trimmingCharacters(in: ["."]))"
  default: "\(error)"
  }
}

private func name(_ type: any Any.Type) -> String {
  switch type {
  case is [String: Any].Type: "an object"
  case is [Any].Type: "an array"
  default: "a value of type \(type)"
  }
}

private func path(_ context: DecodingError.Context) -> String {
  let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
  return path.isEmpty ? "the top level" : String(path.trimmingPrefix("."))
}
