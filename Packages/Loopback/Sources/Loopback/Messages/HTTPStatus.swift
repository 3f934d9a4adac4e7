/// The status of an HTTP response: a code and a reason phrase.
///
/// ```swift
/// HTTPResponse(.notFound)
/// HTTPResponse(429)
/// ```
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

  var allowsBody: Bool { code >= 200 && code != 204 && code != 304 }

  private static let phrases: [Int: String] = [
    100: "Continue", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 301: "Moved Permanently",
    302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    408: "Request Timeout", 409: "Conflict", 410: "Gone", 413: "Content Too Large", 414: "URI Too Long",
    417: "Expectation Failed", 421: "Misdirected Request", 422: "Unprocessable Content", 429: "Too Many Requests",
    431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
    502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
  ]
}
