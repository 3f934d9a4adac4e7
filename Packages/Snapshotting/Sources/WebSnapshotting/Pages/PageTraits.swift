internal import Foundation

/// Properties of a page that a capture needs often, computed once.
struct PageTraits: Sendable {
  /// Whether the page has only elements without scripts, frames and addresses, so that it never changes or navigates.
  let isInert: Bool
  let requests: RequestRules

  init(_ page: WebPage) {
    isInert =
      if case .html(let text, _) = page.content, page.isReusable {
        !page.readiness.contains { if case .predicate = $0 { true } else { false } } && InertText.isInert(text)
      } else {
        false
      }
    requests = RequestRules(page)
  }
}

extension WebPage {
  /// HTML text without a base URL has no origin, so it cannot store anything.
  ///
  /// Without a network it cannot fill a cache.
  var isReusable: Bool {
    if case .html(_, baseURL: nil) = content { network == .off && !waitsForNetwork } else { false }
  }

  var waitsForNetwork: Bool { readiness.contains { if case .networkIdle = $0 { true } else { false } } }

  /// Whether the library decides about each request.
  ///
  /// HTML text without a base URL needs no decisions: its tab has no network, and the browser refuses it files.
  var interceptsRequests: Bool {
    switch (content, network) {
    case (.html(_, baseURL: nil), .off), (.html(_, baseURL: nil), .on): false
    case (.url(let url), .on): url.isFileURL
    default: true
    }
  }
}
