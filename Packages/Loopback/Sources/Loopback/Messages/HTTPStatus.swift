/// The status of an HTTP response: a code and a reason phrase.
///
/// ```swift
/// HTTPResponse(.notFound)
/// HTTPResponse(429)
/// ```
public struct HTTPStatus: Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// The code, from 100 to 999.
  public let code: Int

  /// Creates a status.
  ///
  /// A code outside 100 to 999 becomes 500.
  public init(_ code: Int) { self.code = (100...999).contains(code) ? code : 500 }

  /// Creates a status from a literal, for example `404`.
  public init(integerLiteral value: Int) { self.init(value) }

  /// The reason phrase, for example `Not Found`; empty for a code without a standard phrase.
  public var phrase: String { Self.phrases[code] ?? "" }

  /// The code and the reason phrase.
  public var description: String { phrase.isEmpty ? "\(code)" : "\(code) \(phrase)" }

  /// 200: the request succeeded.
  public static let ok: Self = 200
  /// 201: a resource was created, usually with a `Location`.
  public static let created: Self = 201
  /// 202: accepted, but not completed.
  public static let accepted: Self = 202
  /// 204: the request succeeded, without a body.
  public static let noContent: Self = 204
  /// 303: send a `GET` to the `Location`, for example after a form.
  public static let seeOther: Self = 303
  /// 304: the client's copy is current.
  public static let notModified: Self = 304
  /// 400: the request is invalid.
  public static let badRequest: Self = 400
  /// 404: the resource does not exist.
  public static let notFound: Self = 404
  /// 405: the resource does not support this method.
  public static let methodNotAllowed: Self = 405
  /// 408: the request did not arrive in time.
  public static let requestTimeout: Self = 408
  /// 409: the request conflicts with the state of the resource.
  public static let conflict: Self = 409
  /// 413: the body exceeds the limit.
  public static let contentTooLarge: Self = 413
  /// 414: the request line exceeds the limit.
  public static let uriTooLong: Self = 414
  /// 417: the server does not support this `Expect`.
  public static let expectationFailed: Self = 417
  /// 421: the request is for another host.
  public static let misdirectedRequest: Self = 421
  /// 422: the content of the request is invalid.
  public static let unprocessableContent: Self = 422
  /// 429: too many requests.
  public static let tooManyRequests: Self = 429
  /// 431: the header exceeds the limit.
  public static let requestHeaderFieldsTooLarge: Self = 431
  /// 500: the handler failed.
  public static let internalServerError: Self = 500
  /// 501: the server does not support this transfer coding.
  public static let notImplemented: Self = 501
  /// 503: the server is temporarily unavailable.
  public static let serviceUnavailable: Self = 503
  /// 505: the server does not support this version of HTTP.
  public static let httpVersionNotSupported: Self = 505

  /// Whether a response with this status can have a body.
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
