internal import Foundation

#if canImport(FoundationNetworking)
  public import struct FoundationNetworking.URLRequest
#else
  public import struct Foundation.URLRequest
#endif

extension Snapshotting where Value == URLRequest, Format == String {
  /// Shows a request as its method, URL, headers and body.
  ///
  /// ```swift
  /// assertSnapshot(of: request, as: .raw)
  /// ```
  ///
  /// ```
  /// POST http://localhost:8080/account
  /// Cookie: session=1
  ///
  /// email=blob%40example.com
  /// ```
  ///
  /// Headers and query items are sorted.
  public static var raw: Snapshotting { raw(pretty: false) }

  /// Shows a request as its method, URL, headers and body.
  ///
  /// - Parameter pretty: Whether a body of JSON is laid out with sorted keys.
  public static func raw(pretty: Bool) -> Snapshotting {
    SimplySnapshotting.lines.pullback { request in
      let headers = (request.allHTTPHeaderFields ?? [:]).map { "\($0): \($1)" }.sorted()
      let body = request.httpBody.map { "\n" + String(decoding: pretty ? laidOut($0) : $0, as: UTF8.self) }
      let method = "\(request.httpMethod ?? "GET") \(sortedURL(of: request) ?? "(null)")"
      return ([method] + headers + (body.map { [$0] } ?? [])).joined(separator: "\n")
    }
  }

  /// Shows a request as the `curl` command that makes it.
  ///
  /// ```swift
  /// assertSnapshot(of: request, as: .curl)
  /// ```
  ///
  /// Headers and query items are sorted. A body that is not UTF-8 is left out.
  public static var curl: Snapshotting {
    SimplySnapshotting.lines.pullback { request in
      var parts = ["curl"]
      switch request.httpMethod ?? "GET" {
      case "GET": break
      case "HEAD": parts.append("--head")
      case let method: parts.append("--request \(method)")
      }
      let headers = request.allHTTPHeaderFields ?? [:]
      for (field, value) in headers.sorted(by: { $0.key < $1.key }) where field != "Cookie" {
        parts.append("--header \"\(field): \(quoted(value))\"")
      }
      if let body = request.httpBody.flatMap({ String(data: $0, encoding: .utf8) }) {
        parts.append("--data \"\(quoted(body.replacingOccurrences(of: "\\\"", with: "\\\\\"")))\"")
      }
      if let cookie = headers["Cookie"] { parts.append("--cookie \"\(quoted(cookie))\"") }
      parts.append("\"\(sortedURL(of: request) ?? "(null)")\"")
      return parts.joined(separator: " \\\n\t")
    }
  }
}

private func quoted(_ text: String) -> String { text.replacingOccurrences(of: "\"", with: "\\\"") }

private func laidOut(_ body: Data) -> Data {
  guard let object = try? JSONSerialization.jsonObject(with: body, options: []),
    let data = try? JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
  else { return body }
  return data
}

private func sortedURL(of request: URLRequest) -> String? {
  guard let url = request.url else { return nil }
  guard var components = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return url.absoluteString }
  components.queryItems = components.queryItems?.sorted { $0.name < $1.name }
  return components.url?.absoluteString ?? url.absoluteString
}
