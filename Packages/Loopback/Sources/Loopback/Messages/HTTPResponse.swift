/// An HTTP response: a status, header fields and a body.
///
/// ```swift
/// HTTPResponse.text("Hello")
/// HTTPResponse.html("<h1>Birds</h1>")
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
}
