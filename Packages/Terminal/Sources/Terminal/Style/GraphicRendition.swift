/// A style reduced to a terminal's colours, and the shortest SGR sequence from one style to the next.
struct GraphicRendition: Hashable {
  let style: Style

  init(_ style: Style, color: ColorCapability) {
    self.style = Style(
      foreground: style.foreground.downgraded(to: color), background: style.background.downgraded(to: color),
      attributes: style.attributes.intersection(.all))
  }

  static let plain = GraphicRendition(.plain, color: .trueColor)

  /// Returns the escape sequence that changes `previous` into this rendition; empty when both are equal.
  func sequence(after previous: GraphicRendition) -> String {
    guard self != previous else { return "" }
    let changed = changes(from: previous.style)
    let afresh = changes(from: .plain)
    // Resetting first (`ESC[m` is three bytes) is shorter when many attributes have to be disabled.
    let restart = afresh.isEmpty ? "" : "0;" + afresh.joined(separator: ";")
    let change = changed.joined(separator: ";")
    return "\u{1B}[" + (restart.utf8.count < change.utf8.count ? restart : change) + "m"
  }

  private func changes(from previous: Style) -> [String] {
    var codes: [String] = []
    var kept = previous.attributes
    // A single code disables both bold and dim, so an attribute that stays has to be enabled again.
    if !kept.subtracting(style.attributes).isDisjoint(with: [.bold, .dim]) {
      codes.append("22")
      kept.subtract([.bold, .dim])
    }
    for (attribute, on, off) in Self.codes {
      let before = kept.contains(attribute)
      let now = style.attributes.contains(attribute)
      if before != now { codes.append(now ? on : off) }
    }
    if style.foreground != previous.foreground { codes.append(code(style.foreground, base: 30)) }
    if style.background != previous.background { codes.append(code(style.background, base: 40)) }
    return codes
  }

  private static let codes: [(Attributes, on: String, off: String)] = [
    (.bold, "1", "22"), (.dim, "2", "22"), (.italic, "3", "23"), (.underline, "4", "24"), (.inverse, "7", "27"),
  ]

  private func code(_ color: Color, base: Int) -> String {
    switch color {
    case .default: "\(base + 9)"
    case .ansi(let ansi): "\(ansi.rawValue < 8 ? base + Int(ansi.rawValue) : base + 52 + Int(ansi.rawValue))"
    case .palette(let index): "\(base + 8);5;\(index)"
    case .rgb(let red, let green, let blue): "\(base + 8);2;\(red);\(green);\(blue)"
    }
  }
}

extension Attributes {
  static let all: Attributes = [.bold, .dim, .italic, .underline, .inverse]
}
