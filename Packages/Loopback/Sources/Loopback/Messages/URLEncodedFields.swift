import Foundation

/// The names and values of a query string, or of a body that an HTML form sent.
///
/// ```swift
/// let fields = URLEncodedFields("name=Atlantic+puffin&tag=sea&tag=%C3%A9t%C3%A9")
/// fields["name"]                // "Atlantic puffin"
/// fields.values(for: "tag")     // ["sea", "été"]
/// ```
///
/// Parsing never fails: a name or a value with an invalid escape is not decoded. Names are case-sensitive.
public struct URLEncodedFields: Sendable, Equatable {
  public struct Item: Sendable, Equatable {
    public let name: String
    /// The decoded value; empty without a `=`.
    public let value: String
  }

  public let items: [Item]

  /// Parses `name=value` pairs joined by `&`, with `+` for a space and percent escapes.
  public init(_ text: String = "") {
    items = text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
        let spaced = part.replacing("+", with: " ")
        return spaced.removingPercentEncoding ?? String(spaced)
      }
      return Item(name: parts[0], value: parts.count > 1 ? parts[1] : "")
    }
  }

  public subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  public func values(for name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }
}
