package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

extension URLRequest {
  /// The error of a request that must not be sent, or `nil`.
  ///
  /// Its address is no HTTP URL, or its method, a field or the declared length could add a field or a second request.
  package var sendingError: NetworkError? {
    guard let url, url.host?.isEmpty == false, ["http", "https"].contains(url.scheme?.lowercased()) else {
      return NetworkError(.badURL, request: self)
    }
    return fault.map { NetworkError(.invalidRequest, request: self, reason: $0) }
  }

  private var fault: String? {
    let method = httpMethod ?? "GET"
    guard isToken(method) else { return "the method \"\(method)\" is not a token" }
    for (name, value) in allHTTPHeaderFields ?? [:] {
      guard isToken(name) else { return "the field name \"\(name)\" is not a token" }
      guard !value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
        return "the field \(name) contains a line break or another control character"
      }
      let count = httpBody?.count ?? 0
      switch name.lowercased() {
      case "content-length" where httpBodyStream == nil && value != "\(count)":
        return "the field Content-Length is \"\(value)\", but the body has \(count) bytes"
      case "transfer-encoding": return "the field Transfer-Encoding is set by the client"
      default: break
      }
    }
    return nil
  }

  /// Returns this request, which follows a redirect, as it is sent, or `nil` if the redirect is not followed.
  ///
  /// On Linux, Foundation forwards all header fields to any host, and repeats a POST with an empty body.
  package func followed(from original: URLRequest) -> URLRequest? {
    // A redirect never repeats a request that may change something.
    guard isReading else { return nil }
    guard url?.scheme?.lowercased() == "https" || original.url?.scheme?.lowercased() != "https" else { return nil }
    var request = self
    if Origin(url) == Origin(original.url) {
      request.url = url?.withCredentials(of: original.url)
      return request
    }
    guard original.isReading else { return nil }
    for field in ["Authorization", "Proxy-Authorization", "Cookie"] {
      request.setValue(nil, forHTTPHeaderField: field)
    }
    return request
  }

  private var isReading: Bool { ["GET", "HEAD"].contains(httpMethod ?? "GET") }
}

/// The scheme, host and port of a URL, which browsers treat as one security domain.
package struct Origin: Hashable {
  package let scheme: String?
  package let host: String?
  package let port: Int?

  package init(_ url: URL?) {
    scheme = url?.scheme?.lowercased()
    host = url?.host?.lowercased()
    port = url?.port ?? (scheme == "https" ? 443 : 80)
  }
}

extension URL {
  fileprivate func withCredentials(of other: URL?) -> URL {
    guard user == nil, let other = other.flatMap({ URLComponents(url: $0, resolvingAgainstBaseURL: true) }),
      other.user != nil, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
    else { return self }
    (parts.percentEncodedUser, parts.percentEncodedPassword) = (other.percentEncodedUser, other.percentEncodedPassword)
    return parts.url ?? self
  }
}

/// Whether a byte can be a part of a token of RFC 9110, as a method or the name of a field must be.
private let isTokenByte: [Bool] = {
  let bytes = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
  return (0...255).map(bytes.contains)
}()

private func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy { isTokenByte[Int($0)] } }
