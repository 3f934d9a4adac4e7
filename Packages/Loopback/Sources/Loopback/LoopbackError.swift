/// The reason why a server cannot start or cannot accept connections: the failed action, its cause and the next step.
public struct LoopbackError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error.
  ///
  /// Later versions can add kinds.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The kind's name.
    public let description: String

    /// Another socket listens on the port.
    public static let portInUse = Self(description: "portInUse")
    /// The system does not let this process have the port.
    public static let permissionDenied = Self(description: "permissionDenied")
    /// The number is outside 0 to 65535, the range of ports.
    public static let invalidPort = Self(description: "invalidPort")
    /// This machine does not have this loopback address, for example because IPv6 is disabled.
    public static let addressUnavailable = Self(description: "addressUnavailable")
    /// The process or the system is out of file descriptors or memory.
    public static let outOfResources = Self(description: "outOfResources")
    /// Another system call failed.
    public static let systemCallFailed = Self(description: "systemCallFailed")
  }

  /// The kind of this error.
  public let kind: Kind
  /// The failed action with its address, for example `listen on 127.0.0.1:80`.
  public let attempt: String
  /// The cause.
  public let cause: String
  /// The next step.
  public let nextStep: String

  /// The failed action, the cause and the next step.
  public var description: String { "Cannot \(attempt): \(cause). \(nextStep)" }
}
