internal import CCurl
internal import Foundation
internal import Futures
internal import FuturesNetworking

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// `@unchecked Sendable`: after its creation, only the client's thread uses it.
final class CurlExchange: @unchecked Sendable {
  static let maxRedirects = 20

  /// The origin of the original request, also after a redirect.
  let origin: Origin
  private let original: URLRequest
  private let limits: HTTPLimits
  private let start = ContinuousClock.now
  private let receive: @Sendable (Data) -> Void
  private var complete: (@Sendable (Result<HTTPResponseHead, NetworkError>) -> Void)?

  /// The request, or the one to which it was redirected.
  private var request: URLRequest
  private var redirects = 0
  private var next: URLRequest?
  private var head = HeaderParser()
  /// Whether the request lets the client choose the content coding.
  private var decompresses = true
  /// `nil` if the body is passed as it came.
  private var decoder: BodyDecoder?
  private var bodyCount = 0
  private var stop: NetworkError?
  /// The number of times that libcurl has begun to send a request on an open connection.
  ///
  /// It is more than one after a redirect, or if a reused connection was closed and libcurl has sent the request again.
  private var sendCount = 0

  /// `nil` while the exchange waits, and after its end.
  var handle: CurlHandle?

  init(
    _ request: URLRequest, _ limits: HTTPLimits, _ receive: @escaping @Sendable (Data) -> Void,
    _ complete: @escaping @Sendable (Result<HTTPResponseHead, NetworkError>) -> Void
  ) {
    (original, origin, self.request, self.limits) = (request, Origin(request.url), request, limits)
    (self.receive, self.complete) = (receive, complete)
  }

  var isEnded: Bool { complete == nil }

  func end(with result: Result<HTTPResponseHead, NetworkError>) {
    let complete = complete
    self.complete = nil
    complete?(result)
  }

  /// libcurl itself limits the time to connect.
  var deadline: ContinuousClock.Instant? {
    [limits.whole, head.hasBegun ? nil : limits.firstByte].compactMap { limit in
      // A time of centuries would overflow.
      limit.map { start + min($0, .seconds(Int32.max)) }
    }.min()
  }

  // MARK: The handle

  func begin(with handle: CurlHandle, _ configuration: CurlConfiguration) {
    self.handle = handle
    let easy = handle.easy
    head = HeaderParser()
    (next, decoder, bodyCount) = (nil, nil, 0)
    // A range of compressed data cannot be decompressed.
    decompresses = ["Accept-Encoding", "Range"].allSatisfy { request.value(forHTTPHeaderField: $0) == nil }
    let this = Unmanaged.passUnretained(self).toOpaque()
    curl_set_pointer(easy, CURLOPT_HEADERDATA, this)
    curl_set_function(easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, this in
      CurlExchange.at(this)?.receiveLine(UnsafeRawBufferPointer(start: bytes, count: count)) == true ? count : 0
    }
    curl_set_pointer(easy, CURLOPT_WRITEDATA, this)
    curl_set_function(easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, this in
      CurlExchange.at(this)?.receiveBody(UnsafeRawBufferPointer(start: bytes, count: count)) == true ? count : 0
    }
    curl_set_pointer(easy, CURLOPT_PREREQDATA, this)
    curl_set_before_request(easy) { this, _, _, _, _ in
      CurlExchange.at(this)?.sendCount += 1
      return CURL_PREREQFUNC_OK
    }
    curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    curl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    curl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    setMethodAndBody(easy)
    handle.setFields(fieldLines)
    configuration.setConnection(of: easy, to: request.url, within: limits.connecting)
  }

  private func setMethodAndBody(_ easy: UnsafeMutableRawPointer) {
    let method = request.httpMethod ?? "GET"
    let body = request.httpBody ?? (["POST", "PUT", "PATCH"].contains(method) ? Data() : nil)
    if let body {
      curl_set_long(easy, CURLOPT_POST, 1)
      curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int(body.count))
      // With a nil pointer, as of empty data, libcurl would read the body from a callback.
      (body + [0]).withUnsafeBytes { bytes in
        _ = curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      }
    } else if method == "HEAD" {
      curl_set_long(easy, CURLOPT_NOBODY, 1)
    }
    curl_set_text(easy, CURLOPT_CUSTOMREQUEST, method)
    // libcurl repeats a request if a reused connection turns out to be closed.
    if !["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].contains(method) { curl_set_long(easy, CURLOPT_FRESH_CONNECT, 1) }
  }

  private var fieldLines: [String] {
    var given = request.allHTTPHeaderFields ?? [:]
    let names = Set(given.keys.map { $0.lowercased() })
    // libcurl sends the length itself.
    given = given.filter { $0.key.lowercased() != "content-length" }
    // Without a value, these fields of libcurl are not sent.
    var lines = ["Expect", "Content-Type"].filter { !names.contains($0.lowercased()) }.map { "\($0):" }
    if decompresses { lines.append("Accept-Encoding: gzip, deflate") }
    // An empty value is written with a semicolon.
    return lines + given.map { name, value in value.isEmpty ? "\(name);" : "\(name): \(value)" }
  }

  private static func at(_ pointer: UnsafeMutableRawPointer?) -> CurlExchange? {
    pointer.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: The response

  private func receiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
    do throws(HeaderParser.Problem) {
      try head.append(line)
      guard head.isComplete else { return true }
      next = followingRequest
      // These responses have no body, whatever their length says.
      let hasNoBody = request.httpMethod == "HEAD" || [204, 304].contains(head.status)
      // The body of a redirect may be endless, so the transfer ends here.
      if next != nil { return hasNoBody || head.length == 0 }
      if decompresses { decoder = head.coding.flatMap(BodyDecoder.init) }
      let isTooLong = !hasNoBody && head.length ?? 0 > limits.bodyBytes
      if isTooLong { stop = failure(.tooLarge, byteLimit: limits.bodyBytes) }
      return !isTooLong
    } catch {
      switch error {
      case .tooLarge:
        stop = failure(.tooLarge, byteLimit: HeaderParser.byteLimit, reason: "the response's header")
      case .invalid(let reason): stop = failure(.notHTTP, reason: reason)
      }
      return false
    }
  }

  private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let decoder else { return pass(bytes) }
    let isValid = decoder.decode(bytes, pass)
    if !isValid, stop == nil {
      stop = failure(.notHTTP, reason: "the body does not match its Content-Encoding \"\(head.coding ?? "")\"")
    }
    return isValid
  }

  private func pass(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bodyCount += bytes.count
    guard bodyCount <= limits.bodyBytes else {
      stop = failure(.tooLarge, byteLimit: limits.bodyBytes)
      return false
    }
    if !bytes.isEmpty { receive(Data(bytes)) }
    return true
  }

  private var followingRequest: URLRequest? {
    guard limits.followsRedirects, let location = head.redirection,
      let url = URL(string: location, relativeTo: request.url)?.absoluteURL
    else { return nil }
    var next = request
    next.url = url
    let method = request.httpMethod ?? "GET"
    if head.status == 303 && method != "HEAD" || [301, 302].contains(head.status) && method == "POST" {
      next.httpMethod = "GET"
      next.httpBody = nil
      for field in ["Content-Type", "Content-Length", "Content-Digest"] {
        next.setValue(nil, forHTTPHeaderField: field)
      }
    }
    guard let next = next.followed(from: original), next.sendingError == nil else { return nil }
    return next
  }

  /// Returns the response, an error, or `nil` if a redirect is to be followed.
  func result(of code: CURLcode) -> Result<HTTPResponseHead?, NetworkError> {
    if let stop { return .failure(stop) }
    if let next {
      redirects += 1
      guard redirects <= Self.maxRedirects else { return .failure(failure(.tooManyRedirects)) }
      request = next
      return .success(nil)
    }
    guard code == CURLE_OK else {
      let error = handle?.error(code, request, phase, isUnread: sendCount == 1)
      if error?.kind == .timedOut { return .failure(failure(.timedOut)) }
      return .failure(error ?? failure(.other))
    }
    // libcurl accepts a header that ends with the connection.
    guard head.isComplete else { return .failure(failure(.connectionLost)) }
    guard decoder?.isComplete ?? true else {
      return .failure(failure(.connectionLost, reason: "its compressed data is cut"))
    }
    return .success(HTTPResponseHead(url: request.url, statusCode: head.status, headerFields: head.fields))
  }

  // MARK: Errors

  private var phase: NetworkError.Phase { head.hasBegun ? .receiving : sendCount > 0 ? .sending : .connecting }

  func failure(_ kind: NetworkError.Kind, byteLimit: Int? = nil, reason: String? = nil) -> NetworkError {
    var limit: Duration?
    if kind == .timedOut {
      let isLate = deadline.map { $0 <= .now } ?? false
      let earlier = head.hasBegun ? nil : limits.firstByte
      limit = isLate ? [limits.whole, earlier].compactMap(\.self).min() : limits.connecting
    }
    return NetworkError(kind, request: request, phase: phase, limit: limit, byteLimit: byteLimit, reason: reason)
  }
}
