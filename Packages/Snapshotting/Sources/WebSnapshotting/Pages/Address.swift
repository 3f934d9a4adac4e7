internal import Foundation

extension URL {
  /// Whether it is an address on the web, under which a page can be without being what its address says.
  var isOfWeb: Bool { ["http", "https"].contains(scheme?.lowercased()) }

  /// It as a browser spells it, without the fragment.
  ///
  /// On the web that is with scheme and host in small letters, without the port that goes without saying, and with a path.
  var spelledByBrowser: String {
    let (text, parts) = (absoluteString, webParts)
    guard var parts else { return String(text.prefix { $0 != "#" }) }
    if parts.percentEncodedPath.isEmpty { parts.percentEncodedPath = "/" }
    parts.fragment = nil
    return parts.string ?? text
  }

  /// Where what a page there stores belongs to.
  var origin: String {
    guard let parts = webParts else { return "\(scheme ?? "")://\(host ?? "")" }
    return "\(parts.scheme ?? "")://\(parts.encodedHost ?? "")\(parts.port.map { ":\($0)" } ?? "")"
  }

  /// The parts of an address on the web, in which scheme, host and port are as a browser spells them; `nil` for another.
  private var webParts: URLComponents? {
    guard isOfWeb, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return nil }
    parts.scheme = parts.scheme?.lowercased()
    parts.encodedHost = parts.encodedHost?.lowercased()
    if parts.port == (parts.scheme == "https" ? 443 : 80) { parts.port = nil }
    return parts
  }
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
