@testable import Coordinators

extension Navigation {
  var violations: [String] {
    var found: [String] = []
    var seen: Set<NodeID> = []
    root.forEach { node in
      if !seen.insert(node.id).inserted { found.append("\(node.id) occurs twice") }
      if node.id.rawValue >= nextID { found.append("\(node.id) has an identity that was never assigned") }
      if node.presented.count > 1 { found.append("\(node.id) presents \(node.presented.count) modals") }
      switch node.content {
      case .screen: break
      case .stack(let elements): if elements.isEmpty { found.append("the stack \(node.id) is empty") }
      case .tabs(let tabs, let selected):
        if !tabs.contains(where: { $0.key == selected }) {
          found.append("\(node.id) selects \(selected) of \(tabs.count) tabs")
        }
        if Set(tabs.map(\.key)).count != tabs.count { found.append("\(node.id) has two tabs with the same key") }
      }
    }
    if root.depth > Self.maximumDepth { found.append("the depth is \(root.depth), more than \(Self.maximumDepth)") }
    return found
  }
}
