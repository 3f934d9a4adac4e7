/// A shell without screens, for tests: it carries out batches on a value and records them.
///
/// ```swift
/// var shell = RecordingShell<Screen>()
/// let acknowledgement = try shell.perform(batch)
/// print(shell)  // the commands, one on a line
/// shell.swipeBack()
/// let outcome = synchronization.observe(shell.skeleton!)
/// ```
///
/// It also plays the person: ``swipeBack()``, ``dismissModal()``, ``select(_:)`` do what a platform does before it says so.
public struct RecordingShell<Screen: Hashable & Sendable>: Sendable {
  /// What was carried out, in order.
  public private(set) var batches: [Batch<Screen>] = []
  private var tree = ShellTree<Screen>()

  /// Creates a shell that shows nothing.
  public init() {}

  /// What it shows; `nil` before the first batch.
  public var navigation: Navigation<Screen>? { tree.navigation }

  /// What it has.
  public var skeleton: Skeleton? { tree.skeleton }

  /// Carries out a batch.
  ///
  /// - Returns: The acknowledgement, with what the shell has now; `nil` when it has nothing, since the first batch did not
  ///   set the root.
  /// - Throws: ``NavigationError`` for commands that were not made for what it shows.
  @discardableResult
  public mutating func perform(_ batch: Batch<Screen>) throws(NavigationError) -> Acknowledgement? {
    batches.append(batch)
    return try tree.perform(batch)
  }

  /// Pops the innermost stack in sight that has something to pop, as a swipe from the edge does.
  ///
  /// - Returns: Whether there was one that no modal is in front of.
  @discardableResult
  public mutating func swipeBack() -> Bool { tree.swipeBack() }

  /// Takes the uppermost modal away, as a swipe down does.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public mutating func dismissModal() -> Bool { tree.dismissModal() }

  /// Selects one of the innermost tabs in sight.
  ///
  /// - Returns: Whether there are tabs with that key in sight.
  @discardableResult
  public mutating func select(_ key: TabKey) -> Bool { tree.select(key) }

  /// Closes one of the innermost tabs in sight.
  ///
  /// - Returns: Whether there are tabs with that key in sight, and others beside it.
  @discardableResult
  public mutating func closeTab(_ key: TabKey) -> Bool { tree.closeTab(key) }
}

extension RecordingShell: CustomStringConvertible {
  /// The commands, one on a line, and an empty line between batches.
  public var description: String {
    batches.map { $0.commands.map(\.description).joined(separator: "\n") }.joined(separator: "\n\n")
  }
}
