public import Foundation

extension WebPage {
  /// What a request of a page gets.
  public enum Network: Sendable, Hashable {
    /// Nothing: requests fail, WebSockets included.
    case off
    /// What the network gives.
    case on
    /// The response that is given here for its URL, and nothing when there is none.
    ///
    /// Fragments are left out, and scheme, host, the usual port and an empty path may be spelled in any way.
    case answered([URL: Response])
  }

  /// A response that a page gets in place of the network's.
  public struct Response: Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    /// The header fields.
    public var headers: [String: String]
    /// The content.
    public var body: Data

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - headers: The header fields.
    ///   - body: The content.
    public init(status: Int = 200, headers: [String: String] = [:], body: Data) {
      self.status = status
      self.headers = headers
      self.body = body
    }

    /// Creates a response of a media type.
    ///
    /// - Parameters:
    ///   - body: The content.
    ///   - type: The media type, such as `text/css` or `font/ttf`. Pages of any origin may read it.
    public init(_ body: Data, type: String) {
      self.init(headers: ["Content-Type": type, "Access-Control-Allow-Origin": "*"], body: body)
    }
  }
}

/// What to do with a request of a page: a decision on values.
enum RequestDecision: Hashable {
  case proceed
  case fulfil(WebPage.Response)
  case refuse

  /// - Parameters:
  ///   - url: What is asked for, as a browser spells it.
  ///   - isDocument: Whether it is the page itself.
  ///   - page: Who asks.
  init(_ url: String, isDocument: Bool, of page: WebPage) {
    let bare = String(url.prefix { $0 != "#" })
    if case .html(let text, let baseURL?) = page.content, isDocument, bare == baseURL.spelledByBrowser {
      self = .fulfil(WebPage.Response(Data(text.utf8), type: "text/html; charset=utf-8"))
      return
    }
    if bare.hasPrefix("file:") {
      self = Self.isBelowPage(bare, page) ? .proceed : .refuse
      return
    }
    switch page.network {
    case .on: self = .proceed
    case .off: self = .refuse
    case .answered(let responses):
      let response = responses.first { $0.key.spelledByBrowser == bare }?.value
      self = response.map { .fulfil($0) } ?? .refuse
    }
  }

  /// Whether a file is the page or in its folder or below.
  private static func isBelowPage(_ url: String, _ page: WebPage) -> Bool {
    guard let page = page.file, let asked = URL(string: url).flatMap(PageFile.init) else { return false }
    return asked.isBelowFolder(of: page)
  }
}
