/// A complete HTTP request, the parameter of a route's function.
///
/// It is a plain value, so a test of a handler can create one:
///
/// ```swift
/// let request = HTTPRequest(.put, "/orders/7", body: Array(#"{"item":"soap"}"#.utf8))
/// let reply = await router.reply(to: request)
/// ```
public struct HTTPRequest: Sendable, Equatable {
  public var method: HTTPMethod
  /// The path, percent-decoded, beginning with a slash, without the query.
  ///
  /// A path from a socket never contains `.`, `..`, an escaped slash or a control character: the server rejects such a request with
  /// 400.
  public var path: String
  public var query: URLEncodedFields
  public var headers: HTTPHeaders
  public var body: [UInt8]
  /// The values of the placeholders in the route's pattern, by name; empty outside a route.
  public internal(set) var parameters: [String: String] = [:]
  /// The subject common name of the client's verified certificate; see ``LineConnection/clientName``.
  public var clientName: String?
  /// The IP address of the client, for example `127.0.0.1`.
  ///
  /// `nil` in a request that did not come from a socket.
  public var clientAddress: String?

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

  /// Invalid UTF-8 becomes U+FFFD.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The fields of a body that an HTML form sent (`application/x-www-form-urlencoded`).
  public var form: URLEncodedFields { URLEncodedFields(text) }
}
