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
  /// The file that created the parallel, as module and name.
  public let file: String

  /// The line that created the parallel, from 1.
  public let line: UInt

  /// The line that created a parallel, and the reporter for it.
  @usableFromInline
  struct Origin: Sendable {
    let file: StaticString
    let line: UInt
    let reporter: Reporter

    @usableFromInline
    init(file: StaticString, line: UInt, reporter: Reporter) {
      (self.file, self.line, self.reporter) = (file, line, reporter)
    }

    @usableFromInline
    func report() {
      reporter.report(Misuse(file: "\(file)", line: line))
    }
  }

  /// A message with the problem, its place and the next step.
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
    /// The function.
    ///
    /// It is called once for each misuse, on the thread of the misuse.
    public let report: @Sendable (Misuse) -> Void

    /// Creates a reporter from a function.
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
