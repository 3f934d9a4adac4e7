/// The result of restoring a saved navigation: its valid part, and the parts that were dropped.
///
/// ```swift
/// let restoration = Restoration<Screen>(archive: try Data(contentsOf: file))
/// for loss in restoration.losses { log(loss.description) }
/// let navigation = restoration.navigation ?? firstLaunch
/// ```
///
/// A file can be damaged, have a screen that this version of the app cannot decode, or come from another program. Each
/// invalid entry drops as little as possible:
///
/// - In a stack, the element and all elements above it.
/// - A single tab or a single modal.
/// - A stack or tabs without a remaining element.
public struct Restoration<Screen: Hashable & Sendable>: Sendable {
  /// The valid part; `nil` when not even the root could be restored.
  public let navigation: Navigation<Screen>?
  public let losses: [RestorationLoss]
  /// Whether a newer version of this package wrote the archive, in a format that this version cannot read.
  ///
  /// Keep such a file: the next save would replace the navigation in it.
  public internal(set) var isFromNewerVersion = false
}

public struct RestorationLoss: Error, Hashable, CustomStringConvertible {
  /// The index of the entry in the saved list; `nil` when the loss concerns the whole list.
  public let entry: Int?
  public let node: NodeID?
  public let reason: String

  public var description: String {
    let place = entry.map { "entry \($0)" } ?? "the saved navigation"
    return "Dropped \(place)\(node.map { " (node \($0))" } ?? ""): \(reason)."
  }
}

let archiveVersion = 1

/// The valid identities; the limit leaves enough of them for later nodes.
private let identities = 0..<(Int.max >> 10) + 1

extension Restoration {
  /// Ignores `savedID` if a node has it already, or if it is outside of the valid range.
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

private struct RecordBuilder<Screen: Hashable & Sendable> {
  private struct Place {
    let record: NodeRecord<Screen>
    let entry: Int
    var children: [NodeID] = []
    var keys: Set<TabKey> = []
    var modal: NodeID?
    /// Whether an element of this stack was dropped, so that later elements are dropped too.
    var isCut = false
  }

  private var places: [NodeID: Place] = [:]
  /// The index of the last unreadable entry, 0 without one; see ``addUnreadable(_:)``.
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

  /// The entry may have been an element of any earlier stack, so none of these stacks accepts further elements.
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
