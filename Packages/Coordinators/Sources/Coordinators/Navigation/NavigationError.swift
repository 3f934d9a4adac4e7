/// The error of an intent or a blueprint that was rejected; the navigation is unchanged.
public enum NavigationError: Error, Hashable, Sendable {
  case noSuchNode(NodeID)
  case wrongKind(NodeID, found: NodeKind, needed: NodeKind)
  case noSuchTab(TabKey, known: [TabKey])
  case noSuchCoordinator(CoordinatorID)
  case emptyStack
  case emptyTabs
  case duplicateTab(TabKey)
  case nothingToPop(NodeID)
  case nothingPresented(NodeID)
  case alreadyPresenting(NodeID, modal: NodeID)
  /// The node cannot be removed, because it is the root or the content of a tab.
  case cannotBeEmpty(NodeID)
  case tooDeep(limit: Int)
}

extension NavigationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noSuchNode(let id):
      "Cannot find the node \(id): it does not exist, or was removed. Look it up again before you use it."
    case .wrongKind(let id, let found, let needed):
      "Cannot change the node \(id): its kind is \(found.rawValue), not \(needed.rawValue). Use the ID of a node of that kind."
    case .noSuchTab(let key, let known):
      "Cannot find the tab '\(key)'. Available tabs: \(known.map { "'\($0)'" }.joined(separator: ", "))."
    case .noSuchCoordinator(let id):
      "Cannot find a node of the coordinator '\(id)': it has not shown anything, or has ended. Push one of its screens first."
    case .emptyStack:
      "Cannot show an empty stack: it needs an element. Keep at least one, or replace or dismiss the whole stack."
    case .emptyTabs: "Cannot show empty tabs: they need a tab. Keep at least one, or replace or dismiss the tabs."
    case .duplicateTab(let key): "Cannot show the tabs: two have the key '\(key)'. Use a different key for each."
    case .nothingToPop(let id):
      "Cannot pop the stack \(id): it has only one element. Replace it, or dismiss or unwind its parent."
    case .nothingPresented(let id):
      "Cannot dismiss over the node \(id): it presents nothing. Use the ID of the node that presents the modal."
    case .alreadyPresenting(let id, let modal):
      "Cannot present over the node \(id): it already presents \(modal). Dismiss or replace \(modal), or present over it."
    case .cannotBeEmpty(let id):
      "Cannot remove the node \(id): it is the root or the content of a tab. Replace it, or set the tabs without it."
    case .tooDeep(let limit):
      "Cannot nest nodes more than \(limit) levels deep. Replace or dismiss nodes instead of nesting more of them."
    }
  }
}
