internal import Foundation

enum RequestDecision: Hashable {
  case proceed
  case fulfil(WebPage.Response)
  case refuse
}

struct RequestRules: Sendable {
  private let page: WebPage
  private let responses: [String: WebPage.Response]

  init(_ page: WebPage) {
    self.page = page
    responses =
      if case .responses(let responses) = page.network {
        Dictionary(
          responses.sorted { $0.key.absoluteString < $1.key.absoluteString }.map { ($0.key.canonical, $0.value) },
          uniquingKeysWith: { first, _ in first })
      } else {
        [:]
      }
  }

  /// - Parameters:
  ///   - url: The address in the browser's spelling.
  ///   - isDocument: Whether the request is for the page itself.
  func decision(on url: String, isDocument: Bool) -> RequestDecision {
    if case .html(let text, _?) = page.content, isDocument {
      return .fulfil(WebPage.Response(Data(text.utf8), type: "text/html; charset=utf-8"))
    }
    let bare = url.withoutFragment
    if bare.hasPrefix("file:") { return isBelowPage(bare) ? .proceed : .refuse }
    switch page.network {
    case .on: return .proceed
    case .off: return .refuse
    case .responses: return responses[bare.percentEncoded].map { .fulfil($0) } ?? .refuse
    }
  }

  private func isBelowPage(_ url: String) -> Bool {
    guard let page = page.file, let file = URL(string: url).flatMap(PageFile.init) else { return false }
    return file.isBelowFolder(of: page)
  }
}
