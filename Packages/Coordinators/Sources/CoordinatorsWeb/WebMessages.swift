/// A request of a browser, with the parts that a ``WebShell`` needs.
public struct WebRequest: Hashable, Sendable {
  public enum Method: Hashable, Sendable {
    case get
    case post
    /// A request for the header fields of a ``get`` response, for example as an availability check.
    case head
  }

  public var method: Method
  /// The path, percent-decoded, beginning with a slash.
  public var path: String
  /// The decoded values of a submitted form, by name; the first value of a repeated name.
  public var form: [String: String]

  public init(_ method: Method, _ path: String, form: [String: String] = [:]) {
    self.method = method
    self.path = path
    self.form = form
  }
}

public struct WebResponse: Hashable, Sendable {
  /// The status: 200, 204, 303, 403, 404 or 405.
  public var status: Int
  public var headers: [String: String]
  /// The page, as HTML in UTF-8.
  public var body: String

  public init(status: Int, headers: [String: String] = [:], body: String = "") {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The response to input that is not submitted yet: the browser stays on its page.
  public static var noContent: WebResponse { WebResponse(status: 204, headers: ["Cache-Control": "no-store"]) }

  /// Returns a redirect to a path, which the browser requests with GET: the response to a change.
  public static func redirect(to path: String) -> WebResponse {
    WebResponse(status: 303, headers: ["Location": path, "Cache-Control": "no-store"])
  }
}
