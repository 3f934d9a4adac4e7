internal import SnapshotStore

/// The closure of a call that holds the inline snapshot, for helpers that call `assertInlineSnapshot`.
public struct InlineSnapshotSyntaxDescriptor: Hashable, Sendable {
  /// The label of the closure of `assertInlineSnapshot`.
  public static let defaultTrailingClosureLabel = "matches"

  /// Labels from older versions of a helper.
  ///
  /// They are read and not written.
  public var deprecatedTrailingClosureLabels: [String]
  /// The label of the closure.
  public var trailingClosureLabel: String
  /// The number of trailing closures before it.
  public var trailingClosureOffset: Int

  /// Creates a description.
  ///
  /// - Parameters:
  ///   - deprecatedTrailingClosureLabels: Labels from older versions of a helper.
  ///   - trailingClosureLabel: The label of the closure.
  ///   - trailingClosureOffset: The number of trailing closures before it.
  public init(
    deprecatedTrailingClosureLabels: [String] = [],
    trailingClosureLabel: String = Self.defaultTrailingClosureLabel, trailingClosureOffset: Int = 0
  ) {
    self.deprecatedTrailingClosureLabels = deprecatedTrailingClosureLabels
    self.trailingClosureLabel = trailingClosureLabel
    self.trailingClosureOffset = trailingClosureOffset
  }

  /// Fails the test at the line of the closure, or at `line` if the closure is not found.
  ///
  /// - Parameters:
  ///   - message: The failure.
  ///   - fileID: The file of the call, with its module.
  ///   - filePath: The file of the call.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func fail(
    _ message: @autoclosure () -> String = "", fileID: StaticString, file filePath: StaticString, line: UInt,
    column: UInt
  ) {
    let line = InlineSources.line(of: closure, in: filePath.description, line: line, column: column) ?? line
    report(
      AssertionOutcome(failure: message()),
      at: AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column), to: currentTest().runner)
  }

  var closure: InlineCall.Closure {
    InlineCall.Closure(
      label: trailingClosureLabel, otherLabels: deprecatedTrailingClosureLabels, offset: trailingClosureOffset)
  }
}
