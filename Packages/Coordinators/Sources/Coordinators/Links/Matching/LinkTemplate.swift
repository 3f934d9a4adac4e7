struct LinkTemplate: Sendable {
  enum Part: Hashable, Sendable {
    case literal(String)
    case placeholder(String)
  }

  struct Item: Hashable, Sendable {
    var name: String
    var part: Part
  }

  var text: String
  var path: [Part]
  var query: [Item]
  var fragment: Part?

  init(_ text: String) {
    self.text = text
    var rest = text[...]
    if let hash = rest.firstIndex(of: "#") {
      fragment = Self.part(rest[rest.index(after: hash)...])
      rest = rest[..<hash]
    }
    query = []
    if let mark = rest.firstIndex(of: "?") {
      query = rest[rest.index(after: mark)...].split(separator: "&").map { item in
        let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return Item(name: String(halves[0]), part: halves.count > 1 ? Self.part(halves[1]) : .literal(""))
      }
      rest = rest[..<mark]
    }
    path = rest.split(separator: "/").map(Self.part)
  }

  func below(_ prefix: String) -> LinkTemplate {
    var copy = self
    copy.path = prefix.split(separator: "/").map { .literal(String($0)) } + path
    copy.text = prefix.isEmpty ? text : "\(prefix)/\(text)"
    return copy
  }

  var placeholders: [String] {
    (path + query.map(\.part) + (fragment.map { [$0] } ?? [])).compactMap {
      if case .placeholder(let name) = $0 { name } else { nil }
    }
  }

  private static func part(_ text: Substring) -> Part {
    text.hasPrefix(":") && text.count > 1 ? .placeholder(String(text.dropFirst())) : .literal(String(text))
  }
}
