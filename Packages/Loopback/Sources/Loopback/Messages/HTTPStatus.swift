/// The status of an HTTP response: a number, and the words that go with it.
///
/// ```swift
/// HTTPResponse(.notFound)
/// HTTPResponse(429)
/// ```
public struct HTTPStatus: Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// The three-digit number, 100 to 999.
  public let code: Int

  /// Makes a status; a number outside 100 to 999, which no client could read, becomes 500.
  public init(_ code: Int) { self.code = (100...999).contains(code) ? code : 500 }

  /// Makes a status from a literal such as `404`.
  public init(integerLiteral value: Int) { self.init(value) }

  /// The words of the status line, such as `Not Found`; empty for a number without a name of its own.
  public var phrase: String { Self.phrases[code] ?? "" }

  /// The number and the words.
  public var description: String { phrase.isEmpty ? "\(code)" : "\(code) \(phrase)" }

  /// 200: here it is.
  public static let ok: Self = 200
  /// 201: made, usually with a `Location`.
  public static let created: Self = 201
  /// 202: taken on, not done yet.
  public static let accepted: Self = 202
  /// 204: done, with nothing to say.
  public static let noContent: Self = 204
  /// 303: look there with a `GET`; what a form's handler answers.
  public static let seeOther: Self = 303
  /// 304: what you have is current.
  public static let notModified: Self = 304
  /// 400: the request makes no sense.
  public static let badRequest: Self = 400
  /// 404: nothing is here.
  public static let notFound: Self = 404
  /// 405: something is here, but not for this method.
  public static let methodNotAllowed: Self = 405
  /// 408: the request did not arrive in time.
  public static let requestTimeout: Self = 408
  /// 409: the request does not fit the resource's present state.
  public static let conflict: Self = 409
  /// 413: the body is over the limit.
  public static let contentTooLarge: Self = 413
  /// 414: the request line is over the limit.
  public static let uriTooLong: Self = 414
  /// 417: an `Expect` that cannot be met.
  public static let expectationFailed: Self = 417
  /// 421: the request names another host than this one.
  public static let misdirectedRequest: Self = 421
  /// 422: well formed, and still wrong.
  public static let unprocessableContent: Self = 422
  /// 429: slow down.
  public static let tooManyRequests: Self = 429
  /// 431: the header is over the limit.
  public static let requestHeaderFieldsTooLarge: Self = 431
  /// 500: the handler failed.
  public static let internalServerError: Self = 500
  /// 501: a transfer coding that is not spoken here.
  public static let notImplemented: Self = 501
  /// 503: not now.
  public static let serviceUnavailable: Self = 503
  /// 505: a version of HTTP that is not spoken here.
  public static let httpVersionNotSupported: Self = 505

  /// Whether a response with this status carries a body at all.
  var allowsBody: Bool { code >= 200 && code != 204 && code != 304 }

  private static let phrases: [Int: String] = [
    100: "Continue", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
    301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
    308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
    411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
    415: "Unsupported Media Type", 417: "Expectation Failed", 418: "I'm a teapot", 421: "Misdirected Request",
    422: "Unprocessable Content",
    425: "Too Early", 428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout", 505: "HTTP Version Not Supported", 507: "Insufficient Storage",
  ]
}
