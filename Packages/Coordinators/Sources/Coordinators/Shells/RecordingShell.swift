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
  /// What it shows; `nil` before the first batch.
  public private(set) var navigation: Navigation<Screen>?

  /// Creates a shell that shows nothing.
  public init() {}

  /// What it has.
  public var skeleton: Skeleton? { navigation?.skeleton }

  /// Carries out a batch.
  ///
  /// - Returns: The acknowledgement, with what the shell has now; `nil` when it has nothing, since the first batch did not
  ///   set the root.
  /// - Throws: ``NavigationError`` for commands that were not made for what it shows.
  @discardableResult
  public mutating func perform(_ batch: Batch<Screen>) throws(NavigationError) -> Acknowledgement? {
    batches.append(batch)
    if navigation == nil, case .setRoot(let root)? = batch.commands.first {
      navigation = Navigation(root: root, nextID: 0)
    }
    navigation = try navigation?.performing(batch.commands)
    return skeleton.map { Acknowledgement(batch: batch.number, skeleton: $0) }
  }

  /// Pops the innermost stack in sight that has something to pop, as a swipe from the edge does.
  ///
  /// - Returns: Whether there was one that no modal is in front of.
  @discardableResult
  public mutating func swipeBack() -> Bool {
    guard let path = navigation?.frontPath else { return false }
    for node in path.reversed() {
      if node.kind == .stack, node.children.count > 1 { return play(.pop(from: node.id)) }
      // What is below a modal is out of reach.
      if path.contains(where: { $0.modal?.id == node.id }) { return false }
    }
    return false
  }

  /// Takes the uppermost modal away, as a swipe down does.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public mutating func dismissModal() -> Bool {
    guard let presenter = navigation?.frontPath.last(where: { $0.modal != nil }) else { return false }
    return play(.dismiss(over: presenter.id))
  }

  /// Selects one of the innermost tabs in sight.
  ///
  /// - Returns: Whether there are tabs with that key in sight.
  @discardableResult
  public mutating func select(_ key: TabKey) -> Bool {
    guard let tabs = navigation?.frontPath.last(where: { $0.kind == .tabs && $0.modal == nil }) else { return false }
    return play(.select(key, in: tabs.id, reselection: .stays))
  }

  private mutating func play(_ intent: Intent<Screen>) -> Bool {
    guard let navigation, let after = try? navigation.applying(intent) else { return false }
    self.navigation = after
    return true
  }
}

extension RecordingShell: CustomStringConvertible {
  /// The commands, one on a line, and an empty line between batches.
  public var description: String {
    batches.map { $0.commands.map(\.description).joined(separator: "\n") }.joined(separator: "\n\n")
  }
}
