/// Reports promises that are dropped before they have completed their future.
///
/// Whoever waits for such a future waits for nothing, which is nearly always a mistake. For the time of a test, or of a
/// program that is being debugged, hand in what is to be told:
///
/// ```swift
/// PromiseChecker.reporting(to: { Issue.record("\($0)") }) {
///   // promises that are made here, by this task or its children, are checked for as long as they live
/// }
/// ```
///
/// Without it nothing is checked, and a promise costs nothing more.
public enum PromiseChecker {
  // A type of its own and no closure, and bound in this module only: Swift 6.3 makes an optimised client crash when it binds a
  // task-local closure of another module.
  fileprivate struct Reporter: Sendable {
    let report: @Sendable (DroppedPromise) -> Void
  }

  @TaskLocal fileprivate static var reporter: Reporter?

  /// Calls a closure, and checks the promises that are made by this task meanwhile.
  ///
  /// - Parameters:
  ///   - report: What is told of a promise that was made meanwhile and is dropped unfulfilled, then or later; called at most once for
  ///     each, on the thread that drops it.
  ///   - operation: Called once, on this thread. Tasks that it creates are checked as well, detached ones excepted.
  /// - Returns: What `operation` returns.
  /// - Throws: What `operation` throws.
  public static func reporting<Result>(
    to report: @escaping @Sendable (DroppedPromise) -> Void, operation: () throws -> Result
  ) rethrows -> Result {
    try $reporter.withValue(Reporter(report: report), operation: operation)
  }

  /// Calls an asynchronous closure, and checks the promises that are made by this task meanwhile.
  ///
  /// - Parameters:
  ///   - report: What is told of a promise that was made meanwhile and is dropped unfulfilled, then or later; called at most once for
  ///     each, on the thread that drops it.
  ///   - isolation: The actor that `operation` runs on: the caller's.
  ///   - operation: Called once. Tasks that it creates are checked as well, detached ones excepted.
  /// - Returns: What `operation` returns.
  /// - Throws: What `operation` throws.
  public static func reporting<Result>(
    to report: @escaping @Sendable (DroppedPromise) -> Void, isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
  ) async rethrows -> Result {
    try await $reporter.withValue(Reporter(report: report), operation: operation, isolation: isolation)
  }
}

/// A promise that was dropped before it had completed its future.
public struct DroppedPromise: Sendable, Hashable, CustomStringConvertible {
  /// The file in which the promise was made: the module and the file's name.
  public let file: String
  /// The line at which it was made.
  public let line: UInt

  /// What happened, where, and what to do.
  public var description: String {
    "The promise created at \(file):\(line) was released before it completed its future. "
      + "Complete it on every path, with an error if necessary, or keep a reference to it."
  }
}

/// Where a promise was made, and who wants to know when it is dropped.
@usableFromInline
final class PromiseOrigin: Sendable {
  private let promise: DroppedPromise
  private let reporter: PromiseChecker.Reporter

  private init(_ promise: DroppedPromise, _ reporter: PromiseChecker.Reporter) {
    self.promise = promise
    self.reporter = reporter
  }

  /// The origin to remember, or `nil` when nobody wants to know.
  @usableFromInline
  static func current(_ file: StaticString, _ line: UInt) -> PromiseOrigin? {
    guard let reporter = PromiseChecker.reporter else { return nil }
    return PromiseOrigin(DroppedPromise(file: "\(file)", line: line), reporter)
  }

  func promiseWasDropped() {
    reporter.report(promise)
  }
}
