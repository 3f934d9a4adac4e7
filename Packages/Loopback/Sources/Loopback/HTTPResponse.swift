import Foundation

/// An HTTP response: a status, header fields and a body.
///
/// ```swift
/// HTTPResponse.text("Hello")
/// HTTPResponse.bytes(png, contentType: "image/png")
/// HTTPResponse(.seeOther, headers: ["Location": "/orders/7"])
/// ```
///
/// The server sets `Content-Length`, `Transfer-Encoding` and keep-alive itself, and ignores fields with these names. It obeys
/// `Connection: close`.
public struct HTTPResponse: Sendable, Equatable {
  public var status: HTTPStatus
  public var headers: HTTPHeaders
  public var body: [UInt8]

  public init(_ status: HTTPStatus, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  public static func bytes(
    _ bytes: some Sequence<UInt8>, contentType: String = "application/octet-stream", status: HTTPStatus = .ok
  ) -> Self {
    Self(status, headers: ["Content-Type": contentType], body: Array(bytes))
  }

  public static func text(_ text: String, status: HTTPStatus = .ok) -> Self {
    bytes(text.utf8, contentType: "text/plain; charset=utf-8", status: status)
  }

  public static func html(_ html: String, status: HTTPStatus = .ok) -> Self {
    bytes(html.utf8, contentType: "text/html; charset=utf-8", status: status)
  }

  /// Creates a response with JSON text in UTF-8, which is not checked.
  public static func json(text: String, status: HTTPStatus = .ok) -> Self {
    bytes(text.utf8, contentType: "application/json", status: status)
  }

  /// Creates a response with a value as JSON.
  ///
  /// Keys are sorted, so that equal values have equal bytes. If the value cannot be encoded, the response is 500 with the error.
  public static func json(_ value: some Encodable, status: HTTPStatus = .ok) -> Self {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return bytes(try encoder.encode(value), contentType: "application/json", status: status)
    } catch {
      return .text("Cannot encode a value of type \(type(of: value)) as JSON: \(error)\n", status: .internalServerError)
    }
  }

  func encoded(keepAlive: Bool, isHTTP10: Bool, includesBody: Bool) -> (bytes: [UInt8], headCount: Int) {
    let allowsBody = status.code >= 200 && status.code != 204 && status.code != 304
    var head = "HTTP/1.1 \(status.code) \(status.phrase)\r\n"
    let reserved = ["content-length", "transfer-encoding", "connection", "keep-alive"]
    for field in headers.fields where !reserved.contains(field.name.lowercased()) {
      head += "\(field.name): \(field.value)\r\n"
    }
    if allowsBody { head += "Content-Length: \(body.count)\r\n" }
    if !keepAlive {
      head += "Connection: close\r\n"
    } else if isHTTP10 {
      head += "Connection: keep-alive\r\n"
    }
    let bytes = Array((head + "\r\n").utf8)
    return (includesBody && allowsBody ? bytes + body : bytes, bytes.count)
  }
}

/// The status of an HTTP response, such as `.notFound` or `429`.
public struct HTTPStatus: Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  public let code: Int

  /// A code outside 100 to 999 becomes 500.
  public init(_ code: Int) { self.code = (100...999).contains(code) ? code : 500 }

  public init(integerLiteral value: Int) { self.init(value) }

  /// The reason phrase, for example `Not Found`; empty for a code without a standard phrase.
  public var phrase: String { Self.phrases[code] ?? "" }

  public var description: String { phrase.isEmpty ? "\(code)" : "\(code) \(phrase)" }

  public static let ok: Self = 200
  public static let created: Self = 201
  public static let noContent: Self = 204
  /// 303: send a `GET` to the `Location`, for example after a form.
  public static let seeOther: Self = 303
  public static let badRequest: Self = 400
  public static let notFound: Self = 404
  public static let methodNotAllowed: Self = 405
  public static let conflict: Self = 409
  public static let internalServerError: Self = 500

  private static let phrases: [Int: String] = [
    200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently",
    302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    408: "Request Timeout", 409: "Conflict", 410: "Gone", 413: "Content Too Large", 421: "Misdirected Request",
    422: "Unprocessable Content", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout", 505: "HTTP Version Not Supported",
  ]
}

/// The reply to a request: a response, or a simulated fault.
///
/// ```swift
/// Route(.get, "/bird") { _ in HTTPReply.truncated(.bytes(png), afterBodyBytes: 100) }
/// Route(.put, "/orders/:id") { request in
///   store(request)                     // The work is done …
///   return HTTPReply.disconnected      // … and the response is lost.
/// }
/// ```
///
/// Delays block no thread, and end early when the client disconnects or the server's grace period ends.
public indirect enum HTTPReply: Sendable, Equatable {
  case response(HTTPResponse)

  /// Sends another reply later; a graceful stop waits for it within the grace period.
  case delayed(by: Duration, HTTPReply)

  /// Closes the connection without a response: the client reads an end of file.
  case disconnected

  /// Resets the connection (TCP RST) without a response: the client gets an error such as `ECONNRESET`.
  case reset

  /// Sends the full `Content-Length` with only the beginning of the body, and closes.
  ///
  /// The number is clamped to the length of the body.
  case truncated(HTTPResponse, afterBodyBytes: Int)

  /// Sends the response one byte at a time.
  case dripped(HTTPResponse, every: Duration)

  /// Keeps the connection open without a response, until the client disconnects or the server stops.
  case never

  /// Sends any bytes, which need not be HTTP, and closes.
  case raw([UInt8])

  /// The response, sent at once or later, or `nil` for a fault.
  public var response: HTTPResponse? {
    switch self {
    case .response(let response), .dripped(let response, _): response
    case .delayed(_, let reply): reply.response
    case .disconnected, .reset, .truncated, .never, .raw: nil
    }
  }
}
