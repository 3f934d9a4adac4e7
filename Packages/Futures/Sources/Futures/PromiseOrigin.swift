internal import Synchronization

/// The line that created a promise, for messages about a promise that was released before it completed its future.
///
/// In a debug build each promise has an origin. In a release build only a promise that `PromiseChecker` checks has one.
@usableFromInline
package final class PromiseOrigin: Sendable {
  package typealias Report = @Sendable (StaticString, UInt) -> Void

  // It is a struct, and only this module binds it. With Swift 6.3, an optimised client crashes when it binds a
  // task-local closure of another module.
  private struct Reporter: Sendable {
    let report: Report
  }

  @TaskLocal private static var reporter: Reporter?

  /// Whether there was ever a reporter.
  ///
  /// Most programs have none, and reading the task-local value takes a tenth of the time of the benchmark
  /// `future: sequence of 1,000 pending`.
  private static let hadReporter = Atomic(false)

  private let file: StaticString
  private let line: UInt
  private let reporter: Reporter?

  private init(_ file: StaticString, _ line: UInt, _ reporter: Reporter?) {
    self.file = file
    self.line = line
    self.reporter = reporter
  }

  @usableFromInline
  static func current(_ file: StaticString, _ line: UInt) -> PromiseOrigin? {
    #if DEBUG
      PromiseOrigin(file, line, reporter)
    #else
      hadReporter.load(ordering: .relaxed) ? reporter.map { PromiseOrigin(file, line, $0) } : nil
    #endif
  }

  var place: String { "\(file):\(line)" }

  func promiseWasDropped() {
    reporter?.report(file, line)
  }

  package static func reporting<Outcome>(
    to report: @escaping Report, operation: () throws -> Outcome
  ) rethrows -> Outcome {
    hadReporter.store(true, ordering: .relaxed)
    return try $reporter.withValue(Reporter(report: report), operation: operation)
  }

  package static func reporting<Outcome>(
    to report: @escaping Report, isolation: isolated (any Actor)?, operation: () async throws -> Outcome
  ) async rethrows -> Outcome {
    hadReporter.store(true, ordering: .relaxed)
    return try await $reporter.withValue(Reporter(report: report), operation: operation, isolation: isolation)
  }
}
