/// The method of an HTTP request, such as `GET`.
///
/// Any token is a method, so that a server can respond with 405 to an unknown one. Methods are case-sensitive, as in
/// HTTP itself.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The name, for example `GET`.
  public let rawValue: String

  /// Creates a method from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The name, for example `GET`.
  public var description: String { rawValue }

  /// Reads a resource.
  ///
  /// A route for `GET` also handles `HEAD`.
  public static let get = Self(rawValue: "GET")
  /// Reads a resource's headers without its body.
  public static let head = Self(rawValue: "HEAD")
  /// Sends data to a resource.
  public static let post = Self(rawValue: "POST")
  /// Replaces a resource.
  ///
  /// It is idempotent.
  public static let put = Self(rawValue: "PUT")
  /// Removes a resource.
  public static let delete = Self(rawValue: "DELETE")
}
