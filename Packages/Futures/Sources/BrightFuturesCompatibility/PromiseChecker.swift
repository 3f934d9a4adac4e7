/// Reports promises that are released before they completed their futures.
///
/// A wait for such a future cannot end with a result. Use this in a test, or to debug a program:
///
/// ```swift
/// PromiseChecker.reporting(to: { Issue.record("\($0)") }) {
///   // promises that this task and its children create here are checked
/// }
/// ```
public enum PromiseChecker {
  /// Calls a closure, and checks the promises that it creates.
  ///
  /// `report` is called at most once for each promise, on the thread that releases it, also after `operation` has
  /// returned. Tasks that `operation` creates are checked too, except detached tasks.
  public static func reporting<Result>(
    to report: @escaping @Sendable (DroppedPromise) -> Void, operation: () throws -> Result
  ) rethrows -> Result {
    try PromiseOrigin.reporting(to: { report(DroppedPromise(file: "\($0)", line: $1)) }, operation: operation)
  }

  /// Calls an asynchronous closure on the caller's actor, and checks the promises that it creates.
  ///
  /// `report` and tasks are treated as in the synchronous form.
  public static func reporting<Result>(
    to report: @escaping @Sendable (DroppedPromise) -> Void, isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
  ) async rethrows -> Result {
    try await PromiseOrigin.reporting(
      to: { report(DroppedPromise(file: "\($0)", line: $1)) }, isolation: isolation, operation: operation)
  }
}

public struct DroppedPromise: Sendable, Hashable, CustomStringConvertible {
  public let file: String
  public let line: UInt

  public var description: String {
    "The promise created at \(file):\(line) was released before it completed its future. "
      + "Complete it on every path, with an error if necessary, or keep a reference to it."
  }
}
