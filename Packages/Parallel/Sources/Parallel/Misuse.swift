#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A mistake in how a ``Parallel`` was used, found at run time and survived.
///
/// It is reported, never thrown: the run that it concerns already has its answer.
public struct Misuse: Sendable, Hashable, CustomStringConvertible {
  /// What went wrong.
  ///
  /// More kinds may come: compare with the ones that you know.
  public struct Kind: Sendable, Hashable {
    fileprivate enum Code { case calledBackTwice }
    fileprivate let code: Code

    /// The work called its callback a second time in one run; the second value was dropped.
    public static let calledBackTwice = Kind(code: .calledBackTwice)
  }

  /// What went wrong.
  public let kind: Kind

  /// The file where the misused value was made, as module and name.
  public let file: String

  /// The line where the misused value was made, from 1.
  public let line: UInt

  init(kind: Kind, file: StaticString, line: UInt) {
    self.kind = kind
    self.file = "\(file)"
    self.line = line
  }

  /// What happened, where, and what to do.
  public var description: String {
    switch kind.code {
    case .calledBackTwice:
      """
      Ignored a second value: the Parallel created at \(file):\(line) called its callback twice in one run. \
      Call the callback exactly once on every path.
      """
    }
  }

  /// Where a misuse is reported.
  ///
  /// ```swift
  /// let reporter = Misuse.Reporter { misuse in log.error("\(misuse)") }
  /// ```
  public struct Reporter: Sendable {
    /// Called once for each misuse, on the thread where it happened.
    public let report: @Sendable (Misuse) -> Void

    /// Creates a reporter from what it does with a misuse.
    public init(_ report: @escaping @Sendable (Misuse) -> Void) {
      self.report = report
    }

    /// Writes one line to standard error.
    public static let standardError = Reporter { misuse in
      let line = Array("\(misuse)\n".utf8)
      _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
  }
}
