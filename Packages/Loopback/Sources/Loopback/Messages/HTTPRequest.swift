/// A complete HTTP request: what a route's function gets.
///
/// It is a plain value, so a handler can be tested by making one:
///
/// ```swift
/// let request = HTTPRequest(.put, "/orders/7", body: Array(#"{"item":"soap"}"#.utf8))
/// let reply = await router.reply(to: request)
/// ```
public struct HTTPRequest: Sendable, Equatable {
  /// The method.
  public var method: HTTPMethod
  /// The path, percent-decoded, beginning with a slash, without the query.
  ///
  /// From a socket it never holds `.`, `..`, an escaped slash or a control character: such a request was answered
  /// with 400 before any route saw it.
  public var path: String
  /// The decoded query.
  public var query: URLEncodedFields
  /// The header fields.
  public var headers: HTTPHeaders
  /// The body's bytes, complete, with any chunking undone; empty when there was none.
  public var body: [UInt8]
  /// What the placeholders of the matching route's pattern stood for, by name; empty outside a route.
  public internal(set) var parameters: [String: String] = [:]

  /// Makes a request from decoded parts.
  public init(
    _ method: HTTPMethod, _ path: String, query: URLEncodedFields = URLEncodedFields(), headers: HTTPHeaders = [:],
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The body as text; bytes that are no UTF-8 become U+FFFD.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The fields of a body that an HTML form sent (`application/x-www-form-urlencoded`).
  public var form: URLEncodedFields { URLEncodedFields(text) }
}
