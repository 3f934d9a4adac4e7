import Foundation

/// A complete HTTP request, the parameter of a route's function. A test of a handler can create one:
///
/// ```swift
/// let request = HTTPRequest(.put, "/orders/7", body: Array(#"{"item":"soap"}"#.utf8))
/// let reply = await router.reply(to: request)
/// ```
public struct HTTPRequest: Sendable, Equatable {
  public var method: HTTPMethod
  /// The path, percent-decoded, beginning with a slash, without the query.
  ///
  /// A path from a socket never contains `.`, `..`, an escaped slash or a control character: such a request gets 400.
  public var path: String
  /// The path and the query as the client sent them, percent-encoded; the path in a request that was not sent.
  public internal(set) var target: String
  public var query: URLEncodedFields
  public var headers: HTTPHeaders
  public var body: [UInt8]
  /// The values of the placeholders in the route's pattern, by name; empty outside a route.
  public internal(set) var parameters: [String: String] = [:]
  /// The common name of the client's verified certificate; see ``LineConnection/clientName``.
  public var clientName: String?

  public init(
    _ method: HTTPMethod, _ path: String, query: URLEncodedFields = URLEncodedFields(), headers: HTTPHeaders = [:],
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    target = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// Invalid UTF-8 becomes U+FFFD.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The fields of a body that an HTML form sent (`application/x-www-form-urlencoded`).
  public var form: URLEncodedFields { URLEncodedFields(text) }
}

/// The method of an HTTP request, such as `GET`.
///
/// Any token is a method, so that a server can respond with 405 to an unknown one. Methods are case-sensitive.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public var description: String { rawValue }

  /// A route for `GET` also handles `HEAD`.
  public static let get = Self(rawValue: "GET")
  public static let head = Self(rawValue: "HEAD")
  public static let post = Self(rawValue: "POST")
  public static let put = Self(rawValue: "PUT")
  public static let delete = Self(rawValue: "DELETE")
}

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
    items = text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false).map {
        let spaced = String(decoding: $0.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
        return spaced.removingPercentEncoding ?? spaced
      }
      return Item(name: parts[0], value: parts.count > 1 ? parts[1] : "")
    }
  }

  public subscript(name: String) -> String? { values(for: name).first }

  public func values(for name: String) -> [String] {
    items.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
  }
}
