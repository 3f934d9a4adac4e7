/// The reason why a server cannot start or cannot accept connections: the failed action, its cause and the next step.
public struct LoopbackError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong, for a program to look at.
  ///
  /// More kinds may come.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The kind's name.
    public let description: String

    /// Another socket listens on the port.
    public static let portInUse = Self(description: "portInUse")
    /// The system does not let this process have the port.
    public static let permissionDenied = Self(description: "permissionDenied")
    /// The number is no port: not within 0 to 65535.
    public static let invalidPort = Self(description: "invalidPort")
    /// This machine has no such loopback address, as when IPv6 is switched off.
    public static let addressUnavailable = Self(description: "addressUnavailable")
    /// The process or the system has no more file descriptors or memory.
    public static let outOfResources = Self(description: "outOfResources")
    /// Another system call failed.
    public static let systemCallFailed = Self(description: "systemCallFailed")
  }

  /// What went wrong.
  public let kind: Kind
  /// The failed action with its address, such as `listen on 127.0.0.1:80`.
  public let attempt: String
  /// What came back.
  public let cause: String
  /// What to do about it.
  public let nextStep: String

  /// Everything in one sentence each.
  public var description: String { "Cannot \(attempt): \(cause). \(nextStep)" }
}
