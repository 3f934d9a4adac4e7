/// A style reduced to a terminal's colours, and the SGR sequence from one style to the next.
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
    let codes = self.codes
    let reset = previous == .plain || codes.isEmpty ? [] : ["0"]
    return "\u{1B}[" + (reset + codes).joined(separator: ";") + "m"
  }

  /// The codes that change the plain style into this one.
  private var codes: [String] {
    let names: [(Attributes, String)] = [(.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.inverse, "7")]
    return names.filter { style.attributes.contains($0.0) }.map(\.1)
      + (style.foreground == .default ? [] : [code(style.foreground, base: 30)])
      + (style.background == .default ? [] : [code(style.background, base: 40)])
  }

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
