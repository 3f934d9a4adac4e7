/// An HTTP response: a status, header fields and a body.
///
/// ```swift
/// HTTPResponse.text("Hello")
/// HTTPResponse.html("<h1>Birds</h1>")
/// HTTPResponse.bytes(png, contentType: "image/png")
/// HTTPResponse(.seeOther, headers: ["Location": "/orders/7"])
/// ```
///
/// `Content-Length`, `Transfer-Encoding` and keep-alive are the server's business: fields of those names are not sent.
/// `Connection: close` is obeyed.
public struct HTTPResponse: Sendable, Equatable {
  /// The status.
  public var status: HTTPStatus
  /// The header fields.
  public var headers: HTTPHeaders
  /// The body's bytes.
  public var body: [UInt8]

  /// Makes a response from its parts.
  public init(_ status: HTTPStatus, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A response of bytes of any kind.
  public static func bytes(
    _ bytes: some Sequence<UInt8>, contentType: String = "application/octet-stream", status: HTTPStatus = .ok
  ) -> Self {
    Self(status, headers: ["Content-Type": contentType], body: Array(bytes))
  }

  /// A response of plain text, sent as UTF-8.
  public static func text(_ text: String, status: HTTPStatus = .ok) -> Self {
    bytes(text.utf8, contentType: "text/plain; charset=utf-8", status: status)
  }

  /// A response of an HTML page, sent as UTF-8.
  public static func html(_ html: String, status: HTTPStatus = .ok) -> Self {
    bytes(html.utf8, contentType: "text/html; charset=utf-8", status: status)
  }

  /// A response of JSON that is text already, sent as UTF-8 and not checked.
  public static func json(text: String, status: HTTPStatus = .ok) -> Self {
    bytes(text.utf8, contentType: "application/json", status: status)
  }
}
