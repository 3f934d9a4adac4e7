internal import SnapshotStore

/// The closure of a call that holds the inline snapshot, for helpers that call `assertInlineSnapshot`.
public struct InlineSnapshotSyntaxDescriptor: Hashable, Sendable {
  public static let defaultTrailingClosureLabel = "matches"

  /// Labels of older versions, which are read and not written.
  public var deprecatedTrailingClosureLabels: [String]
  public var trailingClosureLabel: String
  /// The number of trailing closures before it.
  public var trailingClosureOffset: Int

  public init(
    deprecatedTrailingClosureLabels: [String] = [],
    trailingClosureLabel: String = Self.defaultTrailingClosureLabel, trailingClosureOffset: Int = 0
  ) {
    self.deprecatedTrailingClosureLabels = deprecatedTrailingClosureLabels
    self.trailingClosureLabel = trailingClosureLabel
    self.trailingClosureOffset = trailingClosureOffset
  }

  /// Fails the test at the line of the closure, or at `line` if the closure is not found.
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
