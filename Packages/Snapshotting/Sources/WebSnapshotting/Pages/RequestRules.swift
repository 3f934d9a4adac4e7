internal import Foundation

/// What to do with a request of a page.
enum RequestDecision: Hashable {
  case proceed
  case fulfil(WebPage.Response)
  case refuse
}

/// What the requests of a page get: decisions on values.
///
/// The addresses of given responses are read once: a page may ask often.
struct RequestRules: Sendable {
  private let page: WebPage
  private let answers: [String: WebPage.Response]

  init(_ page: WebPage) {
    self.page = page
    answers =
      if case .answered(let responses) = page.network {
        Dictionary(
          responses.map { (url: $0.key.absoluteString, spelling: $0.key.spelledByBrowser, response: $0.value) }
            .sorted { $0.url < $1.url }.map { ($0.spelling, $0.response) },
          uniquingKeysWith: { first, _ in first })
      } else {
        [:]
      }
  }

  /// - Parameters:
  ///   - url: What is asked for, as a browser spells it.
  ///   - isDocument: Whether it is the page itself.
  func decision(on url: String, isDocument: Bool) -> RequestDecision {
    if case .html(let text, _?) = page.content, isDocument {
      return .fulfil(WebPage.Response(Data(text.utf8), type: "text/html; charset=utf-8"))
    }
    let bare = String(url.prefix { $0 != "#" })
    if bare.hasPrefix("file:") { return isBelowPage(bare) ? .proceed : .refuse }
    switch page.network {
    case .on: return .proceed
    case .off: return .refuse
    case .answered:
      let response = answers[bare.encodedAsInURL]
      return response.map { .fulfil($0) } ?? .refuse
    }
  }

  /// Whether a file is the page or in its folder or below.
  private func isBelowPage(_ url: String) -> Bool {
    guard let page = page.file, let asked = URL(string: url).flatMap(PageFile.init) else { return false }
    return asked.isBelowFolder(of: page)
  }
}
