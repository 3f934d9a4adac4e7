internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension URLRequest {
  /// This request as it goes to where a redirect leads, or `nil` when it does not go there.
  ///
  /// On Linux, Foundation takes every header field along, to whatever host, and sends the body of a POST that stays one
  /// empty.
  ///
  /// - Parameter original: What was asked first, which knows whom its secrets are for.
  func followed(from original: URLRequest) -> URLRequest? {
    // What changes something is done where it was sent, or not at all.
    guard isReading else { return nil }
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

/// Who answers at a URL, as browsers see it: whoever has another scheme, host or port is somebody else.
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
