internal import Foundation

/// What a tab asks of its page again and again, worked out once: a text is read through for it.
struct PageTraits: Sendable {
  /// Whether it is text that does nothing but show, and goes nowhere by itself.
  let isInert: Bool
  /// Whether it leaves nothing in its window but its own elements, and is not at an address.
  let keepsWindow: Bool
  /// Whether it leaves nothing in its context for another to find.
  ///
  /// Without a network there is nothing to be kept in a cache. Text without a base URL has no origin under which anything could be
  /// stored, and where there is one on the web, inert text has nothing that could store. A file's gives its process rights.
  let leavesNothing: Bool
  /// Where what it stores belongs to; `nil` for text without an address.
  let origin: String?
  /// What its requests get.
  let requests: RequestRules

  init(_ page: WebPage) {
    isInert = page.isInert
    keepsWindow = isInert && page.hasNoAddress
    leavesNothing = page.isOfflineText && (page.hasNoAddress || isInert && page.isOfWeb)
    origin = page.origin
    requests = RequestRules(page)
  }
}

extension WebPage {
  /// Where what it stores belongs to; `nil` for text without an address.
  var origin: String? { address?.origin }

  /// Where it is; `nil` for text without a base URL.
  var address: URL? {
    switch content {
    case .html(_, let url): url
    case .file(let url), .url(let url): url
    }
  }

  fileprivate var isInert: Bool {
    guard case .html(let text, _) = content, isOfflineText else { return false }
    return !readiness.contains { if case .predicate = $0 { true } else { false } } && InertText.isInert(text)
  }

  fileprivate var hasNoAddress: Bool { address == nil }

  fileprivate var isOfWeb: Bool { if case .html(_, let url?) = content { url.isOfWeb } else { false } }

  /// Whether it is text that can ask nobody for anything, and leaves the session as it was.
  fileprivate var isOfflineText: Bool {
    guard case .html = content, network == .off else { return false }
    return !readiness.contains { if case .networkIdle = $0 { true } else { false } }
  }
}
