/// What a shell really has: identities, and how they are arranged; without screens.
///
/// A shell makes one from its own objects, never from what it was told, and hands it to
/// ``Synchronization/acknowledge(_:)``: a person may have swiped back in the meantime.
public struct Skeleton: Hashable, Sendable, Codable {
  /// What a shell has inside a node.
  public enum Content: Hashable, Sendable, Codable {
    /// A screen.
    case screen
    /// One above the other, from the bottom up.
    case stack([Skeleton])
    /// One beside the other.
    case tabs([Skeleton], selected: Int)
  }

  /// Which node it is.
  public var id: NodeID
  /// What the shell has inside it.
  public var content: Content
  private var presented: [Skeleton]

  /// Creates the skeleton of one node.
  public init(id: NodeID, content: Content, modal: Skeleton? = nil) {
    self.id = id
    self.content = content
    presented = modal.map { [$0] } ?? []
  }

  /// What covers the node.
  public var modal: Skeleton? {
    get { presented.first }
    set { presented = newValue.map { [$0] } ?? [] }
  }
}

extension Node {
  /// The identities of this node and of what is inside and above.
  public var skeleton: Skeleton {
    let content: Skeleton.Content =
      switch content {
      case .screen: .screen
      case .stack(let elements): .stack(elements.map(\.skeleton))
      case .tabs(let tabs, let selected): .tabs(tabs.map(\.node.skeleton), selected: selected)
      }
    return Skeleton(id: id, content: content, modal: modal?.skeleton)
  }
}

extension Navigation {
  /// The identities of all nodes, as a shell in step has them.
  public var skeleton: Skeleton { root.skeleton }
}
