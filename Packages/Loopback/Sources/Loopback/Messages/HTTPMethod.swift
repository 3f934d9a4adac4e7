/// The method of an HTTP request, such as `GET`.
///
/// Any token is a method, so that a server can respond with 405 to an unknown one. Methods are case-sensitive, as in
/// HTTP itself.
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
