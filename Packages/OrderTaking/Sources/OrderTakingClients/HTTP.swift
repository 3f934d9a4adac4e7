public import Foundation
internal import Futures
public import FuturesNetworking
public import OrderTaking

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension OrderHTTPClient {
  /// Returns a client of the protocol in <doc:Protocol> that uses an HTTP client.
  ///
  /// Redirects are not followed. A response to PUT, or to GET for the result, of more than 64 KiB is an error, and so are details of
  /// more than 4 MiB. Errors contain neither the token nor a password in the base URL. If the base URL has a query or a fragment, every
  /// request fails as invalid, and nothing is sent.
  ///
  /// Connecting may take five seconds. On Linux, pass `.curl()` of `FuturesNetworkingCurl`, because a URL session can stop the process.
  /// The function that decodes details is called on the HTTP client's thread; if it throws, the response counts as unreadable.
  ///
  /// ```swift
  /// let client = OrderHTTPClient<Tour>.live(at: base, over: .curl(), token: tokens) { data in
  ///   try JSONDecoder().decode(Tour.self, from: data)
  /// }
  /// ```
  public static func live(
    at base: URL, over client: HTTPClient, token: TokenSource? = nil,
    decodingDetails decodeDetails: @escaping @Sendable (Data) throws -> Details
  ) -> OrderHTTPClient {
    let sender = RequestSender(base: base, client: client, token: token)
    return OrderHTTPClient(
      take: { sender.send("PUT", of: $0.order, $0, Wire.answer) },
      takingOperationStatus: { sender.send("GET", of: $0.order, $0, Wire.answer) },
      acceptedOrderDetails: { order in
        sender.send("GET", of: order, nil) { data throws(HTTPError) in
          do { return try decodeDetails(data) } catch { throw Wire.unreadable("the order's details: \(error)") }
        }
      },
      refreshToken: { token?.renewIfRefused() ?? Future(error: .status(401)) })
  }
}

private struct RequestSender: Sendable {
  let base: URL
  let client: HTTPClient
  let token: TokenSource?

  /// If the time limit to connect ends first, the server has certainly received nothing.
  private static let limits = HTTPLimits(
    connecting: .seconds(5), whole: nil, bodyBytes: Wire.detailsLimit, followsRedirects: false)

  func send<Value: Sendable>(
    _ method: String, of order: OrderID, _ intent: TakingIntent?,
    _ read: @escaping @Sendable (Data) throws(HTTPError) -> Value
  ) -> Future<Value, HTTPError> {
    // A path that is appended to them would be a part of them.
    guard base.query == nil, base.fragment == nil, let url = url(of: order, suffix: intent == nil ? "" : "/taking")
    else {
      return Future(
        error: HTTPError(
          .invalidRequest, message: "nothing was sent to \(place). Use a URL without '?' and '#'"))
    }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.setValue(intent?.key.description, forHTTPHeaderField: "Idempotency-Key")
    if method == "PUT", let intent {
      request.httpBody = Data(intent.body)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    let used = token?.current
    // Foundation would drop the whole field because of a line break.
    if let used { request.setValue("Bearer \(Wire.plain(used, .max))", forHTTPHeaderField: "Authorization") }
    return client.dataFuture(for: request, within: Self.limits)
      .mapError(immediateExecutionContext) { HTTPError($0) }
      .flatMapResult(immediateExecutionContext) { data, response -> Result<Value, HTTPError> in
        if response.statusCode == 401 { token?.noteRefusal(of: used) }
        guard (200..<300).contains(response.statusCode) else {
          return .failure(Wire.error(response, data, from: place))
        }
        return Result { () throws(HTTPError) in try read(data) }
      }
  }

  /// All bytes except letters, digits and `-._~` are escaped.
  private func url(of order: OrderID, suffix: String) -> URL? {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    let name = order.text.utf8.map { byte in
      plain.contains(byte) ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    var start = base.absoluteString[...]
    while start.utf8.last == UInt8(ascii: "/") { start = start.dropLast() }
    return URL(string: "\(start)/orders/\(name.joined())\(suffix)")
  }

  /// The base URL without the user name and the password.
  private var place: String {
    guard var parts = URLComponents(url: base, resolvingAgainstBaseURL: true) else { return "the server" }
    (parts.user, parts.password) = (nil, nil)
    return parts.string ?? "the server"
  }
}

extension Wire {
  static func answer(_ data: Data) throws(HTTPError) -> TakingAnswer {
    guard data.count <= bodyLimit else { throw unreadable("an answer of \(data.count) bytes") }
    guard let answer = (try? JSONDecoder().decode(Body.self, from: data))?.answer else {
      throw unreadable("the answer")
    }
    return answer
  }

  /// The server may have processed the request.
  static func unreadable(_ what: String) -> HTTPError {
    HTTPError(.transport(mayHaveReachedServer: true), message: "cannot read \(what)")
  }

  /// Returns the error of a response whose status is not 200 to 299.
  ///
  /// Only a body with a `problem` is the answer of an order server.
  static func error(_ response: HTTPResponseHead, _ data: Data, from place: String) -> HTTPError {
    let status = response.statusCode
    var error = HTTPError.status(
      status,
      retryAfter: retryAfter(
        response.value(forHTTPHeaderField: "Retry-After"), at: response.value(forHTTPHeaderField: "Date")))
    if (300..<400).contains(status) {
      error.location = response.value(forHTTPHeaderField: "Location").map { plain($0, reasonLimit) }
      error.message = "\(place) redirects to \(error.location ?? "no address"). Use the address of the order server"
      return error
    }
    let body = data.count <= bodyLimit ? try? JSONDecoder().decode(Body.self, from: data) : nil
    switch body?.problem {
    case nil: error.message = "no answer of an order server at \(place) (a proxy or a wrong address)"
    case Body.declined where (400..<500).contains(status): error.declineReason = body?.plainReason
    case let problem?: error.problem = HTTPError.Problem(rawValue: plain(problem, 100))
    }
    return error
  }

  /// The time in `Retry-After`, at most a day.
  ///
  /// A date is compared with the response's own `Date`, so that only the server's clock matters.
  static func retryAfter(_ value: String?, at date: String?) -> Duration? {
    guard let value = value?.trimmingCharacters(in: .whitespaces), !value.isEmpty else { return nil }
    if value.utf8.allSatisfy({ (48...57).contains($0) }) { return .seconds(min(Int64(value) ?? .max, 86_400)) }
    guard let then = time(value), let now = date.flatMap(time) else { return nil }
    return .seconds(Int64(min(max(then.timeIntervalSince(now), 0), 86_400)))
  }

  /// Returns the time of an HTTP date, for example `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///
  /// Two obsolete forms of RFC 9110 are not supported.
  private static func time(_ date: String) -> Date? {
    guard date.utf8.count <= 40 else { return nil }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(secondsFromGMT: 0)
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format.date(from: date)
  }
}

extension HTTPError {
  init(_ error: NetworkError) {
    switch error.kind {
    case .secureConnectionFailed where !error.mayHaveReachedServer: self.init(.insecure, message: error.description)
    case .badURL, .invalidRequest: self.init(.invalidRequest, message: error.description)
    case .timedOut where error.mayHaveReachedServer: self.init(.timedOut, message: error.description)
    default: self.init(.transport(mayHaveReachedServer: error.mayHaveReachedServer), message: error.description)
    }
  }
}
