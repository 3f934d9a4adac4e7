/// The exit status of a process.
public struct ExitCode: RawRepresentable, Error, Sendable, Hashable {
  /// The exit status; shells keep only the lowest eight bits.
  public let rawValue: Int32

  /// Creates an exit code from a number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// Creates an exit code from a number.
  public init(_ rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// 0: the command succeeded.
  public static let success = ExitCode(0)

  /// 1: the command failed.
  public static let failure = ExitCode(1)

  /// 64, `EX_USAGE`: the command line is invalid.
  public static let validationFailure = ExitCode(64)
}
