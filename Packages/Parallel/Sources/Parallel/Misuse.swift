#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A wrong use of a ``Parallel``, which was detected at run time and ignored.
///
/// It is reported and not thrown, because its run already has a value.
public struct Misuse: Sendable, Hashable, CustomStringConvertible {
  /// A kind of misuse.
  ///
  /// Later versions may add kinds.
  public struct Kind: Sendable, Hashable {
    fileprivate enum Code { case calledBackTwice }
    fileprivate let code: Code

    /// The work called its callback a second time in one run.
    ///
    /// The second value was dropped.
    public static let calledBackTwice = Kind(code: .calledBackTwice)
  }

  /// The kind of misuse.
  public let kind: Kind

  /// The file that created the parallel, as module and name.
  public let file: String

  /// The line that created the parallel, from 1.
  public let line: UInt

  init(kind: Kind, file: StaticString, line: UInt) {
    self.kind = kind
    self.file = "\(file)"
    self.line = line
  }

  /// A message with the problem, its place and the next step.
  public var description: String {
    switch kind.code {
    case .calledBackTwice:
      """
      Ignored a second value: the Parallel created at \(file):\(line) called its callback twice in one run. \
      Call the callback exactly once on every path.
      """
    }
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
