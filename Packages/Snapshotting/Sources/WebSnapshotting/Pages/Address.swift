internal import Foundation

extension URL {
  var isWeb: Bool { ["http", "https"].contains(scheme?.lowercased()) }

  /// The browser's spelling without the fragment, for a comparison with ``Swift/String/percentEncoded``.
  ///
  /// An address on the web has a scheme and a host in lower case, no default port, a path, and no `.` and `..` in it.
  var canonical: String {
    guard isWeb, var parts = URLComponents(url: standardized, resolvingAgainstBaseURL: true) else {
      return absoluteString.withoutFragment
    }
    parts.scheme = parts.scheme?.lowercased()
    parts.encodedHost = parts.encodedHost?.lowercased()
    if parts.port == (parts.scheme == "https" ? 443 : 80) { parts.port = nil }
    if parts.percentEncodedPath.isEmpty { parts.percentEncodedPath = "/" }
    parts.percentEncodedQuery = parts.percentEncodedQuery?.replacing("'", with: "%27")
    parts.fragment = nil
    return parts.string ?? absoluteString
  }

  /// The address without a user name and a password, for messages.
  var withoutPassword: String {
    guard user != nil || password != nil, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
      return absoluteString
    }
    (parts.user, parts.password) = (nil, nil)
    return parts.string ?? "\(scheme ?? "")://\(host ?? "")"
  }
}

extension String {
  var withoutFragment: String { String(prefix { $0 != "#" }) }

  /// The browser's spelling of an address, with the characters escaped that a `URL` escapes and a browser does not.
  var percentEncoded: String {
    let parts = split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4 else { return self }
    let path = parts[3].utf8.map { byte in
      "[]|^`{}\\\"<>".utf8.contains(byte) ? "%\(String(byte, radix: 16, uppercase: true))" : String(UnicodeScalar(byte))
    }
    return parts[..<3].joined(separator: "/") + "/" + path.joined()
  }
}

extension WebPage {
  /// The page's address; `nil` for text without a base URL.
  var address: URL? {
    switch content {
    case .html(_, let url): url
    case .file(let url), .url(let url): url
    }
  }

  func check() throws(WebError) {
    try viewport.check()
    try checkResponses()
    guard case .html(_, let url?) = content, !url.isWeb, !url.isFileURL else { return }
    throw WebError(
      kind: .cannotLoad,
      description: "Cannot load text at \(url.withoutPassword): the scheme is not supported. "
        + "Use a base URL with `http`, `https` or `file`, or omit it.")
  }
}
