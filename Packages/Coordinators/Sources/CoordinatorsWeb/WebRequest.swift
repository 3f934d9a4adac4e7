internal import Coordinators

/// A request of a browser, with the parts that a ``WebApp`` needs.
public struct WebRequest: Hashable, Sendable {
  /// The method, such as `GET`, in upper case.
  public var method: String
  /// The path and the query as the browser sent them, still percent-encoded, such as `/words/search?q=a%2Bb`.
  public var target: String
  /// The value of the `Cookie` header field; empty without one.
  public var cookie: String
  /// The body of a `POST` request: an HTML form, in its default encoding.
  public var body: [UInt8]

  public init(_ method: String, _ target: String, cookie: String = "", body: [UInt8] = []) {
    self.method = method
    self.target = target
    self.cookie = cookie
    self.body = body
  }

  /// The decoded values of the form, by name; the first value of a repeated name.
  var form: [String: String] {
    var form: [String: String] = [:]
    for item in body.split(separator: UInt8(ascii: "&")) {
      let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(parts[0]), form[name] == nil else { continue }
      form[name] = parts.count > 1 ? decoded(parts[1]) : ""
    }
    return form
  }

  /// Returns the value of a cookie.
  func cookie(named name: String) -> String? {
    for pair in cookie.utf8.split(separator: UInt8(ascii: ";")) {
      let parts = pair.drop { $0 == UInt8(ascii: " ") }.split(separator: UInt8(ascii: "="), maxSplits: 1)
      if parts.count == 2, parts[0].elementsEqual(name.utf8) { return String(parts[1]) }
    }
    return nil
  }
}

public struct WebResponse: Hashable, Sendable {
  /// The status: 200, 204, 303, 403, 404, 405, 409 or 422.
  public var status: Int
  public var headers: [String: String]
  /// The page or the script, as UTF-8; a server omits it in the response to `HEAD`.
  public var body: String

  public init(status: Int, headers: [String: String] = [:], body: String = "") {
    self.status = status
    self.headers = headers
    self.body = body
  }

  static let noContent = WebResponse(status: 204, headers: ["Cache-Control": "no-store"])

  /// Returns a redirect, which the browser follows with `GET`.
  static func redirect(to address: String) -> WebResponse {
    WebResponse(status: 303, headers: ["Location": address, "Cache-Control": "no-store"])
  }
}

/// The path of the script of the pages.
let scriptAddress = "/~shell.js"

let scriptResponse = WebResponse(
  status: 200,
  headers: [
    "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff",
  ], body: String(decoding: PackageResources.shell_js, as: UTF8.self))

/// The target of a request: the address of a page, and a command for this page.
///
/// The command is a query item whose name begins with `~`, such as `/~7?~row=42`. All other items belong to the
/// address.
struct WebAddress: Hashable {
  enum Command: String {
    case row
    case form
    /// The input of a form that is not submitted yet.
    case input
    case button
    case refresh
    /// Show the page when all of its content has arrived.
    case wait
  }

  let page: String
  /// The command; without one, the page is shown.
  let command: Command?
  /// The identity of the row, form or button.
  let element: String

  init(page: String, _ command: Command? = nil, _ element: String = "") {
    self.page = page
    self.command = command
    self.element = element
  }

  init(target: String) {
    let parts = target.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    var (command, element, items): (Command?, String, [String]) = (nil, "", [])
    for item in parts.count > 1 ? parts[1].split(separator: UInt8(ascii: "&")) : [] {
      guard item.first == UInt8(ascii: "~") else {
        items.append(String(decoding: item, as: UTF8.self))
        continue
      }
      let words = item.dropFirst().split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let id = words.count > 1 ? decoded(words[1]) : "" else { continue }
      (command, element) = (Command(rawValue: String(decoding: words[0], as: UTF8.self)), id)
    }
    let path = parts.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
    self.init(page: items.isEmpty ? path : "\(path)?\(items.joined(separator: "&"))", command, element)
  }

  /// The number of a screen without a link; see ``WebShell/address(of:in:)``.
  var screen: NodeID? {
    guard page.hasPrefix(screenPrefix) else { return nil }
    return Int(page.dropFirst(screenPrefix.count).prefix { $0 != "/" }).map(NodeID.init(rawValue:))
  }

  /// The methods that the command allows.
  ///
  /// A browser may repeat or prefetch `GET`, so only `POST` may change more than the visible screen. `GET` on the address of
  /// a form shows its page: after an error, a user may open the address again.
  var methods: [String] {
    switch command {
    case nil, .row, .wait: ["GET", "HEAD"]
    case .form, .input, .button, .refresh: ["GET", "HEAD", "POST"]
    }
  }

  var target: String {
    guard let command else { return page }
    let item = "~\(command)" + (element.isEmpty ? "" : "=\(element.encoded())")
    return page + (page.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + item
  }
}

/// The beginning of the address of a screen without a link, before its number.
let screenPrefix = "/~"

/// Returns the text of a value in a query or a form; `nil` for an incomplete percent-encoding or invalid UTF-8.
private func decoded(_ bytes: some Sequence<UInt8>) -> String? { String(percentEncoded: bytes.withSpaces) }
