/// The loopback address on which a server listens.
///
/// Servers listen only on loopback addresses, so other machines cannot connect.
public enum LoopbackAddress: Sendable, Hashable, CustomStringConvertible {
  /// 127.0.0.1
  case ipv4
  /// ::1
  case ipv6

  /// The address in numbers.
  public var description: String {
    switch self {
    case .ipv4: "127.0.0.1"
    case .ipv6: "::1"
    }
  }

  /// Whether a host, with or without a port, is a name of this machine's own addresses.
  ///
  /// A page of another site can let its own host name point to 127.0.0.1, and its requests would then come with that name.
  static func isNamed(_ host: String) -> Bool {
    var name = host.lowercased()[...]
    if let colon = name.lastIndex(of: ":"), name[name.index(after: colon)...].allSatisfy(\.isNumber) {
      name = name[..<colon]
    }
    return name == "localhost" || name.hasSuffix(".localhost") || name == "127.0.0.1" || name == "[::1]"
  }

  /// The address as it stands in a URL.
  var urlHost: String {
    switch self {
    case .ipv4: "127.0.0.1"
    case .ipv6: "[::1]"
    }
  }
}
