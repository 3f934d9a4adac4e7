/// What a browser asks for, as far as a ``WebShell`` has to know it.
public struct WebRequest: Hashable, Sendable {
  /// How it asks.
  public enum Method: Hashable, Sendable {
    /// To be shown something: a link was followed, or the back button pressed.
    case get
    /// To have something done: a form was sent.
    case post
    /// To be told what ``get`` would be answered with, without the page: a check whether somebody is there.
    case head
  }

  /// How it asks.
  public var method: Method
  /// The path, percent-decoded, beginning with a slash.
  public var path: String
  /// The values of a form that was sent, decoded, by name; of several of one name, the first.
  public var form: [String: String]

  /// Creates a request.
  public init(_ method: Method, _ path: String, form: [String: String] = [:]) {
    self.method = method
    self.path = path
    self.form = form
  }
}

/// What a browser gets.
public struct WebResponse: Hashable, Sendable {
  /// The status: 200, 204, 303, 403, 404 or 405.
  public var status: Int
  /// The header fields, by name.
  public var headers: [String: String]
  /// The page, as HTML in UTF-8.
  public var body: String

  /// Creates a response.
  public init(status: Int, headers: [String: String] = [:], body: String = "") {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The response to input that is not submitted yet: the browser stays on its page.
  public static var noContent: WebResponse { WebResponse(status: 204, headers: ["Cache-Control": "no-store"]) }

  /// Sends the browser elsewhere, to be asked for with GET: the answer to whatever changed something.
  public static func redirect(to path: String) -> WebResponse {
    WebResponse(status: 303, headers: ["Location": path, "Cache-Control": "no-store"])
  }
}
