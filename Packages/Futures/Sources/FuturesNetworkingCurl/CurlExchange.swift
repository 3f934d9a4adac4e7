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
  private var bodyCount = 0
  private var stop: NetworkError?
  /// The number of times that libcurl has begun to send a request on an open connection.
  ///
  /// It is more than one after a redirect, or if a reused connection was closed and libcurl has sent the request again.
  private var sendCount = 0

  private var easy: UnsafeMutableRawPointer?
  private var fields: UnsafeMutablePointer<curl_slist>?
  private var errorText: ErrorText?

  init(
    _ request: URLRequest, _ limits: HTTPLimits, _ receive: @escaping @Sendable (Data) -> Void,
    _ complete: @escaping @Sendable (Result<HTTPResponseHead, NetworkError>) -> Void
  ) {
    (original, self.request, self.limits) = (request, request, limits)
    (self.receive, self.complete) = (receive, complete)
  }

  var isEnded: Bool { complete == nil }

  func end() -> (@Sendable (Result<HTTPResponseHead, NetworkError>) -> Void)? {
    defer { complete = nil }
    return complete
  }

  /// libcurl itself limits the time to connect.
  var deadline: ContinuousClock.Instant? {
    let whole = limits.whole.map { start + $0.sleepable }
    guard !head.hasBegun, let firstByte = limits.firstByte.map({ start + $0.sleepable }) else { return whole }
    return whole.map { min($0, firstByte) } ?? firstByte
  }

  // MARK: The handle

  func begin(with easy: UnsafeMutableRawPointer, _ configuration: CurlConfiguration) {
    self.easy = easy
    head = HeaderParser()
    (next, bodyCount) = (nil, 0)
    let this = Unmanaged.passUnretained(self).toOpaque()
    let errorText = ErrorText()
    self.errorText = errorText
    errorText.observe(easy)
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
    curl_set_text(easy, CURLOPT_ACCEPT_ENCODING, "")
    curl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    setMethodAndBody(easy)
    setFields(easy)
    configuration.setConnection(of: easy, to: request.url, within: limits.connecting)
  }

  private func setMethodAndBody(_ easy: UnsafeMutableRawPointer) {
    let method = request.httpMethod ?? "GET"
    let body = request.httpBody ?? (["POST", "PUT", "PATCH"].contains(method) ? Data() : nil)
    if let body {
      curl_set_long(easy, CURLOPT_POST, 1)
      curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int(body.count))
      _ = body.withUnsafeBytes { bytes in
        // With a nil pointer, libcurl would read the body from a callback.
        if let start = bytes.baseAddress, !bytes.isEmpty {
          curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: start))
        } else {
          curl_set_text(easy, CURLOPT_COPYPOSTFIELDS, "")
        }
      }
    } else if method == "HEAD" {
      curl_set_long(easy, CURLOPT_NOBODY, 1)
    }
    curl_set_text(easy, CURLOPT_CUSTOMREQUEST, method)
    // libcurl repeats a request if a reused connection turns out to be closed.
    if !["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].contains(method) { curl_set_long(easy, CURLOPT_FRESH_CONNECT, 1) }
  }

  private func setFields(_ easy: UnsafeMutableRawPointer) {
    let given = request.allHTTPHeaderFields ?? [:]
    let names = Set(given.keys.map { $0.lowercased() })
    // Without a value, these fields of libcurl are not sent.
    var lines = ["Expect", "Content-Type"].filter { !names.contains($0.lowercased()) }.map { "\($0):" }
    // An empty value is written with a semicolon.
    lines += given.map { name, value in value.isEmpty ? "\(name);" : "\(name): \(value)" }
    for line in lines { fields = curl_slist_append(fields, line) ?? fields }
    curl_set_pointer(easy, CURLOPT_HTTPHEADER, fields)
  }

  func releaseHandle() -> UnsafeMutableRawPointer? {
    defer { easy = nil }
    return easy
  }

  func releaseMemory() {
    curl_slist_free_all(fields)
    (fields, errorText) = (nil, nil)
  }

  private static func at(_ pointer: UnsafeMutableRawPointer?) -> CurlExchange? {
    pointer.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: The response

  private func receiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
    do throws(HeaderParser.Problem) {
      try head.append(String(decoding: line, as: UTF8.self), byteCount: line.count)
      guard head.isComplete else { return true }
      next = followingRequest
      // These responses have no body, whatever their length says.
      let hasNoBody = request.httpMethod == "HEAD" || [204, 304].contains(head.status)
      let isTooLong = next == nil && !hasNoBody && head.length ?? 0 > limits.bodyBytes
      if isTooLong { stop = failure(.tooLarge, byteLimit: limits.bodyBytes) }
      return !isTooLong
    } catch {
      switch error {
      case .tooLarge: stop = tooLargeHeader
      case .invalid(let reason): stop = failure(.notHTTP, reason: reason)
      }
      return false
    }
  }

  private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bodyCount += bytes.count
    guard bodyCount <= limits.bodyBytes else {
      stop = failure(.tooLarge, byteLimit: limits.bodyBytes)
      return false
    }
    if next == nil, !bytes.isEmpty { receive(Data(bytes)) }
    return true
  }

  private var followingRequest: URLRequest? {
    guard let location = head.redirection, let url = URL(string: location, relativeTo: request.url)?.absoluteURL,
      isHTTP(url), url.scheme?.lowercased() == "https" || request.url?.scheme?.lowercased() != "https"
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
    return next.followed(from: original)
  }

  /// Returns the response, an error, or `nil` if a redirect is to be followed.
  func result(of code: CURLcode) -> Result<HTTPResponseHead?, NetworkError> {
    if let stop { return .failure(stop) }
    guard code == CURLE_OK else { return .failure(failure(code)) }
    if let next {
      redirects += 1
      guard redirects <= Self.maxRedirects else { return .failure(failure(.tooManyRedirects)) }
      request = next
      return .success(nil)
    }
    // libcurl accepts a header that ends with the connection.
    guard head.isComplete else { return .failure(failure(.connectionLost)) }
    guard let url = request.url else { return .failure(failure(.notHTTP)) }
    return .success(HTTPResponseHead(url: url, statusCode: head.status, headerFields: head.fields))
  }

  // MARK: Errors

  func failure(_ kind: NetworkError.Kind, byteLimit: Int? = nil, reason: String? = nil) -> NetworkError {
    let phase: NetworkError.Phase = head.hasBegun ? .receiving : sendCount > 0 ? .sending : .connecting
    var limit: Duration?
    if kind == .timedOut {
      let isLate = deadline.map { $0 <= .now } ?? false
      let earlier = head.hasBegun ? nil : limits.firstByte
      limit = isLate ? [limits.whole, earlier].compactMap(\.self).min() : limits.connecting
    }
    return NetworkError(
      kind, request: request, phase: phase, limit: limit, byteLimit: byteLimit, reason: reason)
  }

  private var tooLargeHeader: NetworkError {
    let limit = HeaderParser.byteLimit
    let reason = "the response's header is larger than \(limit) bytes, a fixed limit. Correct the server's response."
    return failure(.tooLarge, byteLimit: limit, reason: reason)
  }

  private func failure(_ code: CURLcode) -> NetworkError {
    let failure = CurlFailure(code, errorText?.text(for: code) ?? "", errorText?.socketCode ?? 0, request.url)
    // libcurl reports a header line of more than 100 KiB as a lack of memory.
    if code == CURLE_OUT_OF_MEMORY, sendCount > 0, !head.isComplete {
      return tooLargeHeader
    }
    let isClosed = [CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR].contains(code)
    if failure.kind == .connectionLost, isClosed, sendCount > 0, !head.hasBegun {
      let next = request.url?.scheme?.lowercased() == "https" ? "" : ", or use https:// if the port uses TLS"
      return self.failure(
        .connectionLost, reason: "the server closed the connection without a response. Try again\(next).")
    }
    // With TLS 1.3, the client sends its request before a server refuses the certificate. The server then never reads
    // the request.
    let isLate = code == CURLE_RECV_ERROR || code == CURLE_SEND_ERROR
    let isRefused = failure.kind == .secureConnectionFailed && isLate && sendCount == 1 && !head.hasBegun
    guard isRefused else { return self.failure(failure.kind, reason: failure.reason) }
    return NetworkError(failure.kind, request: request, phase: .connecting, reason: failure.reason)
  }
}
