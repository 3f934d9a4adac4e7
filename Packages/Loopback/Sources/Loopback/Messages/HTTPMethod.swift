/// The method of an HTTP request, such as `GET`.
///
/// Any token is a method, so that a server can respond with 405 to an unknown one. Methods are case-sensitive, as in
/// HTTP itself.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The method as it stands in the request line.
  public let rawValue: String

  /// Makes a method from the word in the request line.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The method as it stands in the request line.
  public var description: String { rawValue }

  /// Reads a resource.
  ///
  /// A route for `GET` answers `HEAD` as well.
  public static let get = Self(rawValue: "GET")
  /// Reads a resource's headers without its body.
  public static let head = Self(rawValue: "HEAD")
  /// Sends data to a resource.
  public static let post = Self(rawValue: "POST")
  /// Replaces a resource.
  ///
  /// It is idempotent.
  public static let put = Self(rawValue: "PUT")
  /// Changes a part of a resource.
  public static let patch = Self(rawValue: "PATCH")
  /// Removes a resource.
  public static let delete = Self(rawValue: "DELETE")
  /// Requests the methods of a resource.
  public static let options = Self(rawValue: "OPTIONS")
}
