/// Why an intent, or a blueprint, could not be carried out; the navigation stays as it was.
public enum NavigationError: Error, Hashable, Sendable {
  /// No node has this identity: it was never there, or is gone.
  case noSuchNode(NodeID)
  /// The node is something else than the intent needs.
  case wrongKind(NodeID, found: NodeKind, needed: NodeKind)
  /// None of the tabs has this key.
  case noSuchTab(TabKey, known: [TabKey])
  /// No node belongs to this coordinator.
  case noSuchCoordinator(CoordinatorID)
  /// A stack has to have one element at least.
  case emptyStack
  /// Tabs have to be one at least.
  case emptyTabs
  /// Two tabs beside each other have the same key.
  case duplicateTab(TabKey)
  /// Commands would have put a node where it is already.
  case duplicateNode(NodeID)
  /// The stack has only the element that it stands on.
  case nothingToPop(NodeID)
  /// Nothing covers the node.
  case nothingPresented(NodeID)
  /// A modal covers the node already.
  case alreadyPresenting(NodeID, modal: NodeID)
  /// The node cannot go, since nothing would be left in its place.
  case cannotBeEmpty(NodeID)
  /// Nodes would be nested deeper than a navigation allows.
  case tooDeep(limit: Int)
}

extension NavigationError: CustomStringConvertible {
  /// What was tried, and the way out.
  public var description: String {
    switch self {
    case .noSuchNode(let id):
      "The navigation has no node \(id). It may have gone in the meantime; look it up before you use it."
    case .wrongKind(let id, let found, let needed):
      "The node \(id) is of the kind \(found.rawValue); this works on one of the kind \(needed.rawValue)."
    case .noSuchTab(let key, let known):
      "No tab has the key '\(key)'. There are: \(known.map { "'\($0)'" }.joined(separator: ", "))."
    case .noSuchCoordinator(let id):
      "No node belongs to the coordinator '\(id)': it has not shown anything, or has ended."
    case .emptyStack: "A stack cannot be empty. Give it one element at least, or replace or dismiss the whole of it."
    case .emptyTabs: "Tabs cannot be empty. Give one at least."
    case .duplicateTab(let key): "Two tabs beside each other have the key '\(key)'. Give each a key of its own."
    case .duplicateNode(let id):
      "The node \(id) would be there twice. Give a navigation the commands that were made for it, each batch once."
    case .nothingToPop(let id):
      "The stack \(id) has only the element that it stands on. Replace it, or dismiss or unwind what it is in."
    case .nothingPresented(let id): "The node \(id) presents nothing that could be dismissed."
    case .alreadyPresenting(let id, let modal):
      "The node \(id) presents \(modal) already. Dismiss that one first, replace it, or present over it."
    case .cannotBeEmpty(let id):
      "The node \(id) is the root or the content of a tab and cannot go without another in its place. Replace it, or close the tab."
    case .tooDeep(let limit):
      "More than \(limit) nodes would be inside one another. Replace or unwind, where this pushes."
    }
  }
}
