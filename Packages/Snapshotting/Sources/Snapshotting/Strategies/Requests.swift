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
  /// Headers and query items are sorted. A body that is not UTF-8 is shown in the form of the strategy `hex`. It looks like a body
  /// of text with the same characters; ``curl`` distinguishes the two.
  public static var raw: Snapshotting { raw(pretty: false) }

  /// Shows a request as its method, URL, headers and body.
  ///
  /// - Parameter pretty: Whether a JSON body is formatted with sorted keys.
  public static func raw(pretty: Bool) -> Snapshotting {
    SimplySnapshotting.lines.pullback { request in
      let headers = (request.allHTTPHeaderFields ?? [:]).map { "\($0): \($1)" }.sorted()
      let body = request.httpBody.map { "\n" + text(ofBody: pretty ? laidOut($0) : $0) }
      let method = "\(request.httpMethod ?? "GET") \(sortedURL(of: request) ?? "(null)")"
      return ([method] + headers + (body.map { [$0] } ?? [])).joined(separator: "\n")
    }
  }

  /// Shows a request as a `curl` command.
  ///
  /// ```swift
  /// assertSnapshot(of: request, as: .curl)
  /// ```
  ///
  /// Headers and query items are sorted. A body that is not UTF-8 is written in Bash's `$'…'` form.
  public static var curl: Snapshotting {
    SimplySnapshotting.lines.pullback { request in
      var parts = ["curl"]
      switch request.httpMethod ?? "GET" {
      case "GET": break
      case "HEAD": parts.append("--head")
      case let method: parts.append("--request \(method)")
      }
      let headers = request.allHTTPHeaderFields ?? [:]
      for field in headers.keys.sorted() where field != "Cookie" {
        parts.append("--header \"\(field): \(quoted(headers[field] ?? ""))\"")
      }
      if let data = request.httpBody {
        if let body = String(validating: data, as: UTF8.self) {
          parts.append("--data \"\(quoted(body.replacingOccurrences(of: "\\\"", with: "\\\\\"")))\"")
        } else {
          let bytes = data.map { "\\x" + String($0, radix: 16).leftPadded(to: 2) }.joined()
          parts.append("--data-binary $'\(bytes)'")
        }
      }
      if let cookie = headers["Cookie"] { parts.append("--cookie \"\(quoted(cookie))\"") }
      parts.append("\"\(sortedURL(of: request) ?? "(null)")\"")
      return parts.joined(separator: " \\\n\t")
    }
  }
}

private func quoted(_ text: String) -> String { text.replacingOccurrences(of: "\"", with: "\\\"") }

private func text(ofBody body: Data) -> String {
  String(validating: body, as: UTF8.self) ?? hexLines(body, in: 0..<body.count)
}

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
