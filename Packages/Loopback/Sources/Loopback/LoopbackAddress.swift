/// Which of the machine's own addresses a server listens on.
///
/// There is no other choice: nothing outside can connect.
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

  /// The address as it stands in a URL.
  var urlHost: String {
    switch self {
    case .ipv4: "127.0.0.1"
    case .ipv6: "[::1]"
    }
  }
}
