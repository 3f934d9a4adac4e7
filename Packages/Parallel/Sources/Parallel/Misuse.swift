#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A second call of a callback in one run of a ``Parallel``.
///
/// The second value was dropped. This is reported and not thrown, because the run already has a value.
public struct Misuse: Sendable, Hashable, CustomStringConvertible {
  public let file: String

  public let line: UInt

  @usableFromInline
  init(file: String, line: UInt) {
    self.file = file
    self.line = line
  }

  public var description: String {
    """
    Ignored a second value: the Parallel created at \(file):\(line) called its callback twice in one run. \
    Call the callback exactly once on every path.
    """
  }

  /// A function that receives the reports of misuse.
  ///
  /// ```swift
  /// let reporter = Misuse.Reporter { misuse in log.error("\(misuse)") }
  /// ```
  public struct Reporter: Sendable {
    /// Called once for each misuse, on its thread.
    public let report: @Sendable (Misuse) -> Void

    public init(_ report: @escaping @Sendable (Misuse) -> Void) {
      self.report = report
    }

    /// A reporter that writes one line to standard error.
    public static let standardError = Reporter { misuse in
      let line = Array("\(misuse)\n".utf8)
      _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
  }
}
