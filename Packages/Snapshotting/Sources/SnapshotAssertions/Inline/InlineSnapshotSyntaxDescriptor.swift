/// Which closure of a call holds the inline snapshot, for helpers that call ``assertInlineSnapshot(of:as:message:record:timeout:syntaxDescriptor:matches:fileID:file:function:line:column:)``.
public struct InlineSnapshotSyntaxDescriptor: Hashable, Sendable {
  /// The label of the closure.
  public var trailingClosureLabel: String
  /// How many trailing closures come before it.
  public var trailingClosureOffset: Int
  /// Labels that it had before; they are found, and not written.
  public var deprecatedTrailingClosureLabels: [String]

  /// Creates a description.
  ///
  /// - Parameters:
  ///   - trailingClosureLabel: The label of the closure.
  ///   - trailingClosureOffset: How many trailing closures come before it.
  ///   - deprecatedTrailingClosureLabels: Labels that it had before.
  public init(
    trailingClosureLabel: String = "matches", trailingClosureOffset: Int = 0,
    deprecatedTrailingClosureLabels: [String] = []
  ) {
    self.trailingClosureLabel = trailingClosureLabel
    self.trailingClosureOffset = trailingClosureOffset
    self.deprecatedTrailingClosureLabels = deprecatedTrailingClosureLabels
  }
}
