extension Tab {
  /// Returns the accessibility tree as the browser computes it, one node in each line.
  ///
  /// - Parameter selector: The element whose tree is returned; `nil` for the whole page.
  func accessibilityTree(of selector: String?) async throws -> String {
    try await settled("accessibility trees") {
      var element: JSONValue?
      if let selector {
        guard let object = try await self.element(selector) else {
          throw WebError.noElement("capture the accessibility tree of `\(selector)`")
        }
        element = try await send("DOM.describeNode", ["objectId": object])["node"]?["backendNodeId"]
      }
      let (attributes, part) = try await elements(below: element)
      let tree = try await tree(of: target, attributes)
      // The browser omits the nodes of some elements, such as `<b>`, and keeps the nodes of their content.
      func starts(_ node: AccessibilityNode) -> [AccessibilityNode] {
        if element == nil || node.element.map(part.contains) == true { return [node] }
        return node.children.compactMap { tree[$0] }.flatMap(starts)
      }
      var lines: [String] = []
      for start in tree.values.first(where: { $0.parent == nil }).map(starts) ?? [] {
        try await append(start, of: tree, attributes, at: 0, to: &lines)
      }
      if let selector, lines.isEmpty {
        throw WebError.notFound(
          "Cannot capture the accessibility tree of `\(selector)`: the element is hidden or empty. Show it, for example "
            + "without `aria-hidden` and `display: none`, or select another element.")
      }
      return lines.map { $0 + "\n" }.joined()
    }
  }

  /// Returns the attributes of all elements, also in frames and shadow trees, and the nodes of one element.
  private func elements(below root: JSONValue?) async throws -> (Attributes, Set<JSONValue>) {
    let snapshot = try await send("DOMSnapshot.captureSnapshot", ["computedStyles": []])
    let strings = snapshot["strings"]?.array ?? []
    // An empty string has the index -1.
    func text(_ index: JSONValue) -> String { index.integer.flatMap { $0 < 0 ? nil : strings[$0].string } ?? "" }
    var (attributes, part) = (Attributes(), Set<JSONValue>())
    for nodes in (snapshot["documents"]?.array ?? []).compactMap({ $0["nodes"] }) {
      let (ids, parents) = (nodes["backendNodeId"]?.array ?? [], nodes["parentIndex"]?.array ?? [])
      for (index, id) in ids.enumerated() {
        let texts = nodes["attributes"]?.array?[index].array?.map(text) ?? []
        for name in stride(from: 0, to: texts.count - 1, by: 2) {
          attributes[id, default: [:]][texts[name]] = texts[name + 1]
        }
        // A parent is listed before its children.
        if id == root || parents[index].integer.map({ $0 >= 0 && part.contains(ids[$0]) }) == true { part.insert(id) }
      }
    }
    return (attributes, part)
  }

  private func tree(of frame: String, _ attributes: Attributes) async throws -> [String: AccessibilityNode] {
    let reply = try await send("Accessibility.getFullAXTree", ["frameId": .string(frame)])
    let nodes = (reply["nodes"]?.array ?? []).map { AccessibilityNode($0, attributes) }
    return Dictionary(nodes.map { ($0.id, $0) }) { first, _ in first }
  }

  private func append(
    _ node: AccessibilityNode, of tree: [String: AccessibilityNode], _ attributes: Attributes, at depth: Int,
    to lines: inout [String]
  ) async throws {
    var below = depth
    let line = node.line
    if let line {
      lines.append(String(repeating: "  ", count: depth) + line)
      below += 1
    }
    var (inner, children) = (tree, node.children)
    if node.role == "iframe", let element = node.element {
      let frame = try await send("DOM.describeNode", ["backendNodeId": element])["node"]?["frameId"]?.string
      inner = if let frame, let found = try? await self.tree(of: frame, attributes) { found } else { [:] }
      children = inner.values.first { $0.parent == nil }?.children ?? []
    }
    let start = lines.count
    for child in children.compactMap({ inner[$0] }) {
      try await append(child, of: inner, attributes, at: below, to: &lines)
    }
    // Texts that repeat the name or the value of their parent say nothing new.
    let texts = lines[start...].map { $0.drop { $0 == " " } }
    let text = letters(of: texts.map { $0.dropFirst(6) }.joined())
    if line != nil, texts.allSatisfy({ $0.hasPrefix("text: ") }), [node.name, node.value].map(letters).contains(text) {
      lines.removeSubrange(start...)
    }
  }
}

/// The attributes of elements, by the browser's identifier of the element.
typealias Attributes = [JSONValue: [String: String]]

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
  let value: String
  private let description: String
  private let attributes: [String: String]
  private let isIgnored: Bool
  private let properties: [String: JSONValue]

  init(_ json: JSONValue, _ attributes: Attributes) {
    id = json["nodeId"]?.string ?? ""
    parent = json["parentId"]?.string
    children = json["childIds"]?.array?.compactMap(\.string) ?? []
    element = json["backendDOMNodeId"]
    isIgnored = json["ignored"] == true
    let browserRole = json["role"]?["value"]?.string ?? "none"
    role = Self.roles[browserRole] ?? browserRole
    let text = json["name"]?["value"]?.string ?? ""
    name = role == "text" ? withLines(text) : normalized(text)
    // The browser computes with 32 bits: 0.3 is 0.30000001192092896 in 64.
    let number = json["value"]?["value"]?.number.map { JSONValue.number(Double("\(Float($0))") ?? $0).text }
    value = withLines(json["value"]?["value"]?.string ?? number ?? "")
    description = json["description"]?["value"]?.string.map(normalized) ?? ""
    self.attributes = element.flatMap { attributes[$0] } ?? [:]
    properties = Dictionary(
      (json["properties"]?.array ?? []).map { ($0["name"]?.string ?? "", $0["value"]?["value"] ?? .null) }
    ) { first, _ in first }
  }

  /// The names of the browser's own roles.
  private static let roles = [
    "RootWebArea": "document", "StaticText": "text", "Iframe": "iframe", "DisclosureTriangle": "button",
    "DisclosureTriangleGrouped": "button", "Abbr": "abbr", "Pre": "pre", "Video": "video", "Audio": "audio",
    "Canvas": "canvas", "SvgRoot": "image", "Ruby": "ruby", "Details": "group",
    // The browser uses these for a table without a header, a caption and a border.
    "LayoutTable": "table", "LayoutTableRow": "row", "LayoutTableCell": "cell",
  ]

  /// Roles that a screen reader does not announce.
  private static let silent: Set = [
    "none", "generic", "InlineTextBox", "ListMarker", "LabelText", "MenuListPopup", "DescriptionList", "LineBreak",
    "Legend", "Section",
  ]

  /// The line of the node; `nil` if it has no meaning of its own.
  var line: String? {
    if role == "text" { return isIgnored || name.isEmpty ? nil : "text: \(name)" }
    let isNamed = !name.isEmpty || attributes["aria-current"] != nil
    guard !isIgnored, !Self.silent.contains(role) || role == "generic" && isNamed else { return nil }
    let states = states + details
    return role + (name.isEmpty ? "" : " \(JSONValue.string(name).text)")
      + (states.isEmpty ? "" : " [\(states.joined(separator: ", "))]") + (value.isEmpty ? "" : ": \(value)")
  }

  /// The attributes that the browser does not compute, or computes differently on each port of a server.
  private var details: [String] {
    [
      role == "link" ? attributes["href"].map { "url=\($0)" } : nil,
      attributes["aria-current"].flatMap { $0 == "false" ? nil : $0 == "true" ? "current" : "current=\($0)" },
      attributes["aria-valuetext"].map { "valuetext=\(JSONValue.string($0).text)" },
      attributes["placeholder"].flatMap { normalized($0) == name ? nil : "placeholder=\(JSONValue.string($0).text)" },
      description.isEmpty ? nil : "description=\(JSONValue.string(description).text)",
    ].compactMap(\.self)
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

/// Returns a text with one space for each run of white space in a line, and a sign for each end of a line.
private func withLines(_ text: String) -> String {
  text.split(whereSeparator: \.isNewline).map { normalized(String($0)) }.joined(separator: " ⏎ ")
}

/// Returns a text without white space and ends of lines.
private func letters(of text: String) -> String { text.filter { !$0.isWhitespace && $0 != "⏎" } }
