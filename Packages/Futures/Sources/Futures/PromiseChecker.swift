/// Reports promises that are dropped before they have completed their future.
///
/// Whoever waits for such a future waits for nothing, which is nearly always a mistake. For the time of a test, or of a
/// program that is being debugged, hand in what is to be told:
///
/// ```swift
/// PromiseChecker.$report.withValue({ Issue.record("\($0)") }) {
///   // promises that are made here, by this task or its children, are checked for as long as they live
/// }
/// ```
///
/// Without it nothing is checked, and a promise costs nothing more.
public enum PromiseChecker {
  /// What is told of a promise that was made while it was handed in; called on the thread that drops the promise.
  @TaskLocal public static var report: (@Sendable (DroppedPromise) -> Void)?
}

/// A promise that was dropped before it had completed its future.
public struct DroppedPromise: Sendable, Hashable, CustomStringConvertible {
  /// The file in which the promise was made: the module and the file's name.
  public let file: String
  /// The line at which it was made.
  public let line: Int

  /// What happened, where, and what to do.
  public var description: String {
    "The promise made at \(file):\(line) was dropped before it had completed its future, for which somebody may wait. "
      + "Complete it on every way out, with an error if need be, or keep it."
  }
}

/// Where a promise was made, and who wants to know when it is dropped.
@usableFromInline
final class PromiseOrigin: Sendable {
  private let promise: DroppedPromise
  private let report: @Sendable (DroppedPromise) -> Void

  private init(_ promise: DroppedPromise, _ report: @escaping @Sendable (DroppedPromise) -> Void) {
    self.promise = promise
    self.report = report
  }

  /// The origin to remember, or `nil` when nobody wants to know.
  @usableFromInline
  static func current(_ file: StaticString, _ line: UInt) -> PromiseOrigin? {
    guard let report = PromiseChecker.report else { return nil }
    return PromiseOrigin(DroppedPromise(file: "\(file)", line: Int(line)), report)
  }

  func promiseWasDropped() {
    report(promise)
  }
}
