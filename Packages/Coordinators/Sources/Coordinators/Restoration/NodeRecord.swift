/// A node of a saved navigation without its children.
///
/// The tree is saved as a list in which each record follows its parent. Damage to the list therefore leaves the earlier records
/// intact, which a nested format would not.
struct NodeRecord<Screen: Hashable & Sendable>: Sendable {
  var id: NodeID
  var owner: CoordinatorID
  var kind: NodeKind
  var parent: NodeID?
  var isModal = false
  var tab: TabKey?
  var screen: Screen?
  var problem: String?
  var selected: TabKey?
}

enum NodeRecordKey: String, CodingKey {
  case id, owner, kind, parent, modal, tab, screen, selected
}

extension NodeRecord: Encodable where Screen: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: NodeRecordKey.self)
    try container.encode(id, forKey: .id)
    try container.encode(owner, forKey: .owner)
    try container.encode(kind, forKey: .kind)
    try container.encodeIfPresent(parent, forKey: .parent)
    if isModal { try container.encode(true, forKey: .modal) }
    try container.encodeIfPresent(tab, forKey: .tab)
    try container.encodeIfPresent(screen, forKey: .screen)
    try container.encodeIfPresent(selected, forKey: .selected)
  }
}

extension NodeRecord: Decodable where Screen: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: NodeRecordKey.self)
    id = try container.decode(NodeID.self, forKey: .id)
    owner = try container.decode(CoordinatorID.self, forKey: .owner)
    kind = try container.decode(NodeKind.self, forKey: .kind)
    parent = try container.decodeIfPresent(NodeID.self, forKey: .parent)
    isModal = try container.decodeIfPresent(Bool.self, forKey: .modal) ?? false
    tab = try container.decodeIfPresent(TabKey.self, forKey: .tab)
    selected = try container.decodeIfPresent(TabKey.self, forKey: .selected)
    guard kind == .screen else { return }
    do { screen = try container.decode(Screen.self, forKey: .screen) } catch { problem = reason(of: error) }
  }
}

extension NodeRecord {
  func checked(_ isOwn: (Screen, CoordinatorID) -> Bool) -> NodeRecord {
    guard let screen, !isOwn(screen, owner) else { return self }
    var copy = self
    copy.problem = "does not belong to '\(owner)'"
    return copy
  }
}

extension Node {
  func appendRecords(
    to records: inout [NodeRecord<Screen>], parent: NodeID? = nil, isModal: Bool = false, tab: TabKey? = nil
  ) {
    var record = NodeRecord<Screen>(id: id, owner: owner, kind: kind, parent: parent, isModal: isModal, tab: tab)
    let place = records.count
    records.append(record)
    switch content {
    case .screen(let screen): record.screen = screen
    case .stack(let elements): for element in elements { element.appendRecords(to: &records, parent: id) }
    case .tabs(let tabs, let selected):
      record.selected = tabs[selected].key
      for tab in tabs { tab.node.appendRecords(to: &records, parent: id, tab: tab.key) }
    }
    records[place] = record
    modal?.appendRecords(to: &records, parent: id, isModal: true)
  }
}

func reason(of error: any Error) -> String {
  switch error {
  case DecodingError.keyNotFound(let key, _): "has no '\(key.stringValue)'"
  case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
    DecodingError.valueNotFound(_, let context):
    "cannot be read: \(context.debugDescription.trimmingSuffix(while: { $0 == "." }))"
  default: "cannot be read: \(error)"
  }
}

extension String {
  fileprivate func trimmingSuffix(while isUnwanted: (Character) -> Bool) -> String {
    var copy = self
    while let last = copy.last, isUnwanted(last) { copy.removeLast() }
    return copy
  }
}
