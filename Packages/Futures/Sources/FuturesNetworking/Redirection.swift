#if canImport(FoundationNetworking)
  internal import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

extension URLRequest {
  /// Returns the request that follows a redirect, or `nil` if the redirect is not followed.
  ///
  /// On Linux, Foundation forwards all header fields to any host, and repeats a POST with an empty body.
  package func followed(from original: URLRequest) -> URLRequest? {
    // A redirect never repeats a request that may change something.
    guard isReading else { return nil }
    guard url?.scheme?.lowercased() == "https" || original.url?.scheme?.lowercased() != "https" else { return nil }
    guard Origin(url) != Origin(original.url) else { return self }
    guard original.isReading else { return nil }
    var request = self
    for field in ["Authorization", "Proxy-Authorization", "Cookie"] {
      request.setValue(nil, forHTTPHeaderField: field)
    }
    return request
  }

  private var isReading: Bool { ["GET", "HEAD"].contains(httpMethod ?? "GET") }
}

/// The scheme, host and port of a URL, which browsers treat as one security domain.
private struct Origin: Equatable {
  let scheme: String?
  let host: String?
  let port: Int?

  init(_ url: URL?) {
    scheme = url?.scheme?.lowercased()
    host = url?.host?.lowercased()
    port = url?.port ?? (scheme == "https" ? 443 : 80)
  }
}
