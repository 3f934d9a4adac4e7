internal import Foundation

extension URL {
  /// Whether it is an address on the web, under which a page can be without being what its address says.
  var isOfWeb: Bool { ["http", "https"].contains(scheme?.lowercased()) }
}

extension WebPage {
  /// - Throws: ``WebError`` when its text is to be at an address where no text can be.
  ///
  /// The browser asks nobody for what is there, or shows what the address itself says.
  func checkBaseURL() throws(WebError) {
    guard case .html(_, let url?) = content, !url.isOfWeb, !url.isFileURL else { return }
    throw WebError(
      kind: .cannotLoad,
      description: "Cannot load text at \(url.absoluteString): no text can be there. "
        + "A base URL is of `http`, `https` or `file`, or is left out.")
  }
}
