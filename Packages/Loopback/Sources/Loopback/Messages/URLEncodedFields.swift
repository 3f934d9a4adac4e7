/// The names and values of a query string, or of a body that an HTML form sent.
///
/// ```swift
/// let fields = URLEncodedFields("name=Atlantic+puffin&tag=sea&tag=%C3%A9t%C3%A9")
/// fields["name"]                // "Atlantic puffin"
/// fields.values(for: "tag")     // ["sea", "été"]
/// ```
///
/// Parsing never fails: a percent sign without a valid escape is kept, and invalid UTF-8 becomes
/// U+FFFD. Names are case-sensitive.
public struct URLEncodedFields: Sendable, Equatable {
  /// A `name=value` pair.
  public struct Item: Sendable, Equatable {
    /// The decoded name.
    public let name: String
    /// The decoded value; empty where there was no `=`.
    public let value: String
  }

  /// Every item, in order.
  public let items: [Item]

  /// Reads `name=value` pairs joined by `&`, with `+` for a space and percent escapes.
  public init(_ text: String = "") {
    items = text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return Item(name: Self.decode(parts[0]), value: parts.count > 1 ? Self.decode(parts[1]) : "")
    }
  }

  /// The first value of a name.
  public subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  /// Every value of a name, in order.
  public func values(for name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

  private static func decode(_ bytes: Substring.UTF8View) -> String {
    let spaced = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return String(decoding: PercentEncoding.decode(spaced).bytes, as: UTF8.self)
  }
}
