/// The number a process leaves behind when it ends.
public struct ExitCode: RawRepresentable, Error, Sendable, Hashable {
  /// The number; shells keep the lowest eight bits.
  public let rawValue: Int32

  /// Makes a code of a number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// Makes a code of a number.
  public init(_ rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// 0: the command did what it was asked.
  public static let success = ExitCode(0)

  /// 1: the command failed.
  public static let failure = ExitCode(1)

  /// 64, `EX_USAGE`: the command was called in the wrong way.
  public static let validationFailure = ExitCode(64)
}
