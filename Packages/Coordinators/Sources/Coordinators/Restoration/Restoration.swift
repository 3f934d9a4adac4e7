/// What could be made of a navigation that was saved: the valid part of it, and what was dropped.
///
/// ```swift
/// let restoration = Restoration<Screen>(archive: try Data(contentsOf: file))
/// for loss in restoration.losses { log(loss.description) }
/// let navigation = restoration.navigation ?? firstLaunch
/// ```
///
/// A damaged file, a screen that this version of the app does not know any more, or a tree that another program made up:
/// each costs what cannot be shown without it, and nothing else. In a stack that is the element and all above it; a tab or
/// a modal goes alone; a stack or tabs of which nothing is left go too. Tabs that the app cannot be without come back with
/// ``Navigation/addMissingTabs(of:)``.
public struct Restoration<Screen: Hashable & Sendable>: Sendable {
  /// The valid part; `nil` when not even the root could be restored.
  public let navigation: Navigation<Screen>?
  /// What was dropped, in the order of the saved list.
  public let losses: [RestorationLoss]
}

/// One thing that could not be restored.
public struct RestorationLoss: Error, Hashable, CustomStringConvertible {
  /// Which entry of the saved list it was, from 0; `nil` when it concerns all of it.
  public let entry: Int?
  /// The node that was dropped, if that is known.
  public let node: NodeID?
  /// Why, in words.
  public let reason: String

  /// The entry, the node, and why.
  public var description: String {
    let place = entry.map { "entry \($0)" } ?? "the saved navigation"
    return "Dropped \(place)\(node.map { " (node \($0))" } ?? ""): \(reason)."
  }
}

/// The version of the form in which navigations are saved.
let archiveVersion = 1

/// The identities that can be restored: far from the end, so that there are some left for whatever comes after.
private let identities = 0..<1 << 53

extension Restoration {
  /// Builds a navigation from what can be used of some records.
  ///
  /// - Parameter savedID: The identity that the next node was to get. One that a node has, or that leaves none for whatever
  ///   comes after, does not count.
  init(
    _ entries: [Result<NodeRecord<Screen>, RestorationLoss>], nextID savedID: Int? = nil, losses: [RestorationLoss] = []
  ) {
    var builder = RecordBuilder<Screen>()
    for (index, entry) in entries.enumerated() {
      switch entry {
      case .success(let record): builder.add(record, entry: index)
      case .failure(let loss): builder.addUnreadable(loss)
      }
    }
    let root = builder.root.flatMap { builder.node($0, depth: 1) }
    var nextID = 0
    root?.forEach { nextID = max(nextID, $0.id.rawValue + 1) }
    if let savedID, identities.contains(savedID) { nextID = max(nextID, savedID) }
    navigation = root.map { Navigation(root: $0, nextID: nextID) }
    var losses = losses + builder.losses.sorted { ($0.entry ?? -1) < ($1.entry ?? -1) }
    if entries.isEmpty, losses.isEmpty {
      losses = [RestorationLoss(entry: nil, node: nil, reason: "it has no nodes")]
    }
    self.losses = losses
  }
}

/// Takes records, leaves out what has no place, and builds the tree from the rest.
private struct RecordBuilder<Screen: Hashable & Sendable> {
  private struct Place {
    let record: NodeRecord<Screen>
    let entry: Int
    var children: [NodeID] = []
    /// The keys of the children, when this is tabs.
    var keys: Set<TabKey> = []
    var modal: NodeID?
    /// Whether an element of this stack was dropped, so that none can be on top of it.
    var isCut = false
  }

  private var places: [NodeID: Place] = [:]
  /// How many entries came before the last one that could not be read; see ``addUnreadable(_:)``.
  private var unreadableEnd = 0
  private(set) var root: NodeID?
  var losses: [RestorationLoss] = []

  mutating func add(_ record: NodeRecord<Screen>, entry: Int) {
    if let reason = refusal(of: record) {
      losses.append(RestorationLoss(entry: entry, node: record.id, reason: reason))
      if let parent = record.parent, !record.isModal, places[parent]?.record.kind == .stack {
        places[parent]?.isCut = true
      }
      return
    }
    places[record.id] = Place(record: record, entry: entry)
    guard let parent = record.parent else {
      root = record.id
      return
    }
    if record.isModal {
      places[parent]?.modal = record.id
    } else {
      places[parent]?.children.append(record.id)
      if let key = record.tab { places[parent]?.keys.insert(key) }
    }
  }

  /// Nobody knows where that one was; perhaps in one of the stacks there are, so none of them gets any more elements.
  mutating func addUnreadable(_ loss: RestorationLoss) {
    losses.append(loss)
    unreadableEnd = loss.entry ?? unreadableEnd
  }

  private func refusal(of record: NodeRecord<Screen>) -> String? {
    if let problem = record.problem { return "its screen \(problem)" }
    if places[record.id] != nil { return "an earlier entry has the same identity" }
    if !identities.contains(record.id.rawValue) { return "its identity is out of range" }
    if record.owner.depth > Navigation<Screen>.maximumDepth {
      return "its coordinator is nested more than \(Navigation<Screen>.maximumDepth) levels deep"
    }
    guard let parentID = record.parent else { return root == nil ? nil : "an earlier entry is the root" }
    guard let parent = places[parentID] else { return "its parent \(parentID) was dropped or is missing" }
    if record.isModal { return parent.modal == nil ? nil : "\(parentID) already presents another modal" }
    switch parent.record.kind {
    case .screen: return "its parent \(parentID) is a screen"
    case .stack:
      return parent.isCut || parent.entry < unreadableEnd ? "an element below it in the stack was dropped" : nil
    case .tabs:
      guard let key = record.tab else { return "it is a tab without a key" }
      return parent.keys.contains(key) ? "another tab already has the key '\(key)'" : nil
    }
  }

  /// The node with all that can be inside, or `nil` when nothing can be left of it.
  mutating func node(_ id: NodeID, depth: Int) -> Node<Screen>? {
    guard let place = places[id] else { return nil }
    guard depth <= Navigation<Screen>.maximumDepth else {
      drop(place, "it is nested more than \(Navigation<Screen>.maximumDepth) levels deep")
      return nil
    }
    let content: Node<Screen>.Content
    switch place.record.kind {
    case .screen:
      guard let screen = place.record.screen else { return nil }
      content = .screen(screen)
    case .stack:
      var elements: [Node<Screen>] = []
      for child in place.children {
        guard let element = node(child, depth: depth + 1) else {
          dropRest(of: place, after: child)
          break
        }
        elements.append(element)
      }
      guard !elements.isEmpty else {
        drop(place, "the stack has no valid elements")
        return nil
      }
      content = .stack(elements)
    case .tabs:
      var tabs: [Node<Screen>.Tab] = []
      for child in place.children {
        guard let key = places[child]?.record.tab, let node = node(child, depth: depth + 1) else { continue }
        tabs.append(Node.Tab(key: key, node: node))
      }
      guard !tabs.isEmpty else {
        drop(place, "it has no valid tabs")
        return nil
      }
      content = .tabs(tabs, selected: tabs.firstIndex { $0.key == place.record.selected } ?? 0)
    }
    let modal = place.modal.flatMap { node($0, depth: depth + 1) }
    return Node(id: id, owner: place.record.owner, content: content, modal: modal)
  }

  private mutating func drop(_ place: Place, _ reason: String) {
    losses.append(RestorationLoss(entry: place.entry, node: place.record.id, reason: reason))
  }

  private mutating func dropRest(of stack: Place, after child: NodeID) {
    guard let index = stack.children.firstIndex(of: child) else { return }
    for rest in stack.children[(index + 1)...] {
      if let place = places[rest] { drop(place, "an element below it in the stack was dropped") }
    }
  }
}
