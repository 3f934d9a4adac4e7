public import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The status and the header fields of a response.
///
/// It is a plain value, so a test of a client can create one. Its members are named as in `HTTPURLResponse`, which is slower to create.
public struct HTTPResponseHead: Sendable, Hashable {
  /// The URL of the response, after redirects.
  public let url: URL
  public let statusCode: Int
  /// The header fields, with the names as received.
  ///
  /// The values of fields with the same name are joined with a comma.
  public let allHeaderFields: [String: String]

  public init(url: URL, statusCode: Int, headerFields: [String: String] = [:]) {
    self.url = url
    self.statusCode = statusCode
    allHeaderFields = headerFields
  }

  /// Returns the value of a header field; the case of its name does not matter.
  public func value(forHTTPHeaderField name: String) -> String? {
    allHeaderFields[name] ?? allHeaderFields.first { $0.key.lowercased() == name.lowercased() }?.value
  }
}

extension HTTPResponseHead {
  init(_ response: HTTPURLResponse, to request: URLRequest) {
    var fields: [String: String] = [:]
    for (name, value) in response.allHeaderFields { fields["\(name)"] = "\(value)" }
    let url = response.url ?? request.url ?? URL(fileURLWithPath: "/")
    self.init(url: url, statusCode: response.statusCode, headerFields: fields)
  }
}
