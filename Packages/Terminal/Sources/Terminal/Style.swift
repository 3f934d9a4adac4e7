/// The look of a cell or of text: its attributes and two colours.
public struct Style: Hashable, Sendable {
  public var foreground: Color
  public var background: Color
  public var attributes: Attributes

  /// Creates a style; the colours are the terminal's own by default.
  public init(foreground: Color = .default, background: Color = .default, attributes: Attributes = []) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  public static let plain = Style()
  public static let bold = Style(attributes: .bold)
  public static let dim = Style(attributes: .dim)
  /// Foreground and background exchanged, for the selected row of a list or a menu.
  public static let inverse = Style(attributes: .inverse)
}

/// The text attributes that every current terminal supports.
public struct Attributes: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let bold = Attributes(rawValue: 1 << 0)
  public static let dim = Attributes(rawValue: 1 << 1)
  public static let italic = Attributes(rawValue: 1 << 2)
  public static let underline = Attributes(rawValue: 1 << 3)
  public static let inverse = Attributes(rawValue: 1 << 4)
}

extension Style {
  /// Returns `text` in this style for a line-based command, followed by a reset to the terminal's default style.
  ///
  /// With `.none` the text is returned unchanged, without escape sequences and attributes, so that a pipe or a file
  /// receives plain text. Escape sequences in the text itself are not removed.
  ///
  /// ```swift
  /// print(Style(foreground: .red).applied(to: "error:", color: device.colorCapability()), message)
  /// ```
  public func applied(to text: String, color: ColorCapability) -> String {
    guard color != .none, !text.isEmpty else { return text }
    let rendition = GraphicRendition(self, color: color)
    let (on, off) = (rendition.sequence(after: .plain), GraphicRendition.plain.sequence(after: rendition))
    return on + text + off
  }
}

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
