/// A complete HTTP request, the parameter of a route's function.
///
/// It is a plain value, so a test of a handler can create one:
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
  /// A path from a socket never contains `.`, `..`, an escaped slash or a control character: the server rejects such a request with
  /// 400.
  public var path: String
  /// The decoded query.
  public var query: URLEncodedFields
  /// The header fields.
  public var headers: HTTPHeaders
  /// The complete body, with its chunks joined.
  public var body: [UInt8]
  /// The values of the placeholders in the route's pattern, by name; empty outside a route.
  public internal(set) var parameters: [String: String] = [:]
  /// The subject common name of the client's certificate, which the server has verified.
  ///
  /// `nil` if the server's ``TLSIdentity/clientCAFile`` is `nil`, or if the certificate has not exactly one common name.
  public var clientName: String?
  /// The IP address of the client, for example `127.0.0.1`.
  ///
  /// Behind a proxy it is the address of the proxy. `nil` in a request that did not come from a socket.
  public var clientAddress: String?

  /// Creates a request from decoded parts.
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

  /// The body as text.
  ///
  /// Invalid UTF-8 becomes U+FFFD.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The fields of a body that an HTML form sent (`application/x-www-form-urlencoded`).
  public var form: URLEncodedFields { URLEncodedFields(text) }
}
