internal import Foundation

extension URL {
  /// Whether it is an address on the web, under which a page can be without being what its address says.
  var isOfWeb: Bool { ["http", "https"].contains(scheme?.lowercased()) }

  /// It as a browser spells it, without the fragment, as far as addresses of given responses are likely to differ.
  ///
  /// On the web that is with scheme and host in small letters, without the port that goes without saying, with a path, and without
  /// steps in that. It is for two addresses that are both spelled so.
  var spelledByBrowser: String {
    guard let parts = webParts else { return String(absoluteString.prefix { $0 != "#" }) }
    let user = parts.percentEncodedUser.map { user in
      user + (parts.percentEncodedPassword.map { ":\($0)" } ?? "") + "@"
    }
    let query = parts.percentEncodedQuery.map { "?\($0.replacing("'", with: "%27"))" }
    return "\(parts.scheme ?? "")://\(user ?? "")\(parts.hostAndPort)\(parts.pathWithoutSteps)\(query ?? "")"
  }

  /// Where what a page there stores belongs to.
  var origin: String {
    guard let parts = webParts else { return "\(scheme ?? "")://\(host ?? "")" }
    return "\(parts.scheme ?? "")://\(parts.hostAndPort)"
  }

  /// The parts of an address on the web, in which scheme and port are as a browser spells them; `nil` for another.
  private var webParts: URLComponents? {
    guard isOfWeb, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return nil }
    parts.scheme = parts.scheme?.lowercased()
    if parts.port == (parts.scheme == "https" ? 443 : 80) { parts.port = nil }
    return parts
  }
}

extension String {
  /// An address that a browser spells, with the characters encoded that a `URL` never has, and a browser leaves as they are.
  var encodedAsInURL: String {
    let parts = split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4 else { return self }
    let path = parts[3].utf8.map { byte in
      "[]|^`{}\\\"<>".utf8.contains(byte) ? "%\(String(byte, radix: 16, uppercase: true))" : String(UnicodeScalar(byte))
    }
    return parts[..<3].joined(separator: "/") + "/" + path.joined()
  }
}

extension URLComponents {
  fileprivate var hostAndPort: String {
    let host = encodedHost ?? ""
    let name = (host.removingPercentEncoding ?? host).lowercased()
    return (numericHost(name) ?? name) + (port.map { ":\($0)" } ?? "")
  }

  /// A host that is a number, or some with dots between them (`127.1`, `0x7f000001`), as four of them.
  private func numericHost(_ name: String) -> String? {
    var address = in_addr()
    guard name.first?.isNumber == true, inet_aton(name, &address) != 0 else { return nil }
    let bytes = withUnsafeBytes(of: address.s_addr) { Array($0) }
    return bytes.map(String.init).joined(separator: ".")
  }

  /// The path, in which no part is `.` or `..`, however that is written.
  fileprivate var pathWithoutSteps: String {
    let parts = percentEncodedPath.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    var kept: [Substring] = []
    for (index, part) in zip(parts.indices, parts) {
      let step = part.lowercased().replacing("%2e", with: ".")
      if step == ".." { _ = kept.popLast() }
      if step != "." && step != ".." {
        kept.append(part)
      } else if index == parts.indices.last {
        kept.append("")
      }
    }
    return "/" + kept.joined(separator: "/")
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
      description: "Cannot load text at \(url.absoluteString): the scheme is not supported. "
        + "Use a base URL with `http`, `https` or `file`, or omit it.")
  }
}
