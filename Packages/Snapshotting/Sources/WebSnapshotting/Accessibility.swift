extension Tab {
  /// Returns the accessibility tree as the browser computes it, one node in each line.
  ///
  /// - Parameter selector: The element whose tree is returned; `nil` for the whole page.
  func accessibilityTree(of selector: String?) async throws -> String {
    try await call(Scripts.revealing)
    var root: JSONValue?
    if let selector {
      guard let object = try await element(selector) else {
        throw WebError.notFound(
          "Cannot capture the accessibility tree of `\(selector)`: no element of the page matches. Check the selector, or "
            + "wait for the element with `readiness`.")
      }
      root = try await send("DOM.describeNode", ["objectId": object])["node"]?["backendNodeId"]
    }
    var lines: [String] = []
    let tree = try await tree(of: target)
    let start = root.map { root in tree.values.first { $0.element == root } } ?? tree.values.first { $0.parent == nil }
    if let start { try await append(start, of: tree, at: 0, to: &lines) }
    return lines.map { $0 + "\n" }.joined()
  }

  private func tree(of frame: String) async throws -> [String: AccessibilityNode] {
    let reply = try await send("Accessibility.getFullAXTree", ["frameId": .string(frame)])
    var nodes = (reply["nodes"]?.array ?? []).map(AccessibilityNode.init)
    // The attribute of a link is the same on each port of a server. The address in the tree is not.
    let links = nodes.indices.filter { nodes[$0].role == "link" && nodes[$0].element != nil }
    let elements = try await send(
      links.map { Command("DOM.describeNode", ["backendNodeId": nodes[$0].element ?? .null]) })
    for (link, element) in zip(links, elements) {
      let attributes = element["node"]?["attributes"]?.array ?? []
      let name = stride(from: 0, to: attributes.count - 1, by: 2).first { attributes[$0] == "href" }
      nodes[link].url = name.flatMap { attributes[$0 + 1].string }
    }
    return Dictionary(nodes.map { ($0.id, $0) }) { first, _ in first }
  }

  private func append(
    _ node: AccessibilityNode, of tree: [String: AccessibilityNode], at depth: Int, to lines: inout [String]
  ) async throws {
    var below = depth
    if let line = node.line {
      lines.append(String(repeating: "  ", count: depth) + line)
      below += 1
    }
    if node.role == "iframe", let element = node.element {
      let frame = try await send("DOM.describeNode", ["backendNodeId": element])["node"]?["frameId"]?.string
      if let frame, let inner = try? await self.tree(of: frame),
        let root = inner.values.first(where: { $0.parent == nil })
      {
        for child in root.children.compactMap({ inner[$0] }) {
          try await append(child, of: inner, at: below, to: &lines)
        }
      }
    }
    let start = lines.count
    for child in node.children.compactMap({ tree[$0] }) where !node.hasValue || child.role == "option" {
      try await append(child, of: tree, at: below, to: &lines)
    }
    // Texts that repeat the name of their parent say nothing new.
    let texts = lines[start...].map { $0.drop { $0 == " " } }
    if texts.allSatisfy({ $0.hasPrefix("text: ") }),
      ["", " "].contains(where: { separator in
        texts.map { $0.dropFirst(6) }.joined(separator: separator) == node.name
      })
    {
      lines.removeSubrange(start...)
    }
  }
}

/// A node of the browser's accessibility tree.
struct AccessibilityNode {
  let id: String
  let parent: String?
  let children: [String]
  /// The browser's identifier of the element.
  let element: JSONValue?
  /// The role with the spelling of ARIA.
  let role: String
  let name: String
  /// The target of a link, as the page spells it.
  var url: String?
  private let isIgnored: Bool
  private let value: String?
  private let properties: [String: JSONValue]

  init(_ json: JSONValue) {
    id = json["nodeId"]?.string ?? ""
    parent = json["parentId"]?.string
    children = json["childIds"]?.array?.compactMap(\.string) ?? []
    element = json["backendDOMNodeId"]
    isIgnored = json["ignored"] == true
    let browserRole = json["role"]?["value"]?.string ?? "none"
    role = Self.roles[browserRole] ?? browserRole
    name = json["name"]?["value"]?.string.map(normalized) ?? ""
    value = json["value"]?["value"].flatMap { $0.string ?? $0.text }.map(normalized)
    properties = Dictionary(
      (json["properties"]?.array ?? []).map { ($0["name"]?.string ?? "", $0["value"]?["value"] ?? .null) }
    ) { first, _ in first }
  }

  var hasValue: Bool { value != nil }

  /// The names of the browser's own roles.
  private static let roles = [
    "RootWebArea": "document", "StaticText": "text", "Iframe": "iframe", "DisclosureTriangle": "button",
    "DisclosureTriangleGrouped": "button", "Abbr": "abbr", "Pre": "pre", "Video": "video", "Audio": "audio",
    "Canvas": "canvas", "SvgRoot": "image", "Ruby": "ruby", "Details": "group",
  ]

  /// Roles that a screen reader does not announce.
  private static let silent: Set = [
    "none", "generic", "InlineTextBox", "ListMarker", "LabelText", "LayoutTable", "LayoutTableRow", "LayoutTableCell",
    "MenuListPopup", "DescriptionList", "LineBreak", "Legend", "Section",
  ]

  /// The line of the node; `nil` if it has no meaning of its own.
  var line: String? {
    guard !isIgnored, !Self.silent.contains(role) || role == "generic" && !name.isEmpty else { return nil }
    if role == "text" { return name.isEmpty ? nil : "text: \(name)" }
    let states = states + (url.map { ["url=\($0)"] } ?? [])
    return role + (name.isEmpty ? "" : " \(JSONValue.string(name).text)")
      + (states.isEmpty ? "" : " [\(states.joined(separator: ", "))]")
      + (value.map { $0.isEmpty ? "" : ": \($0)" } ?? "")
  }

  private var states: [String] {
    [
      "checked", "pressed", "selected", "expanded", "disabled", "invalid", "required", "readonly", "modal", "focused",
      "level",
    ]
    .compactMap { name in
      guard let value = properties[name], role != "document" else { return nil }
      if name == "level", role == "listitem" { return nil }
      // A state of false says something only where a user can change it.
      if value == true || value == "true" { return name }
      if name == "expanded" || name == "pressed", value == false || value == "false" { return "not \(name)" }
      if value == false || value == "false" || value == "" { return nil }
      return "\(name)=\(value.string ?? value.text)"
    }
  }
}

/// Returns a text with one space for each run of white space.
private func normalized(_ text: String) -> String {
  text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
}
