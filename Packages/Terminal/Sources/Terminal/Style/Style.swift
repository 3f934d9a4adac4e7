/// How a cell or a piece of text looks: its attributes and two colours.
public struct Style: Hashable, Sendable {
  /// The colour of the characters.
  public var foreground: Color
  /// The colour behind the characters.
  public var background: Color
  /// Bold, underlined and so on.
  public var attributes: Attributes

  /// A style with these colours and attributes, each the terminal's own unless given.
  public init(foreground: Color = .default, background: Color = .default, attributes: Attributes = []) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// The terminal's own look.
  public static let plain = Style()
  /// Bold text in the default colours.
  public static let bold = Style(attributes: .bold)
  /// Dim text in the default colours.
  public static let dim = Style(attributes: .dim)
  /// Foreground and background exchanged: what lists and menus use for the selected row.
  public static let inverse = Style(attributes: .inverse)
}

/// The attributes of text that every current terminal shows.
public struct Attributes: OptionSet, Hashable, Sendable {
  /// One bit for each attribute.
  public let rawValue: UInt8

  /// The attributes whose bits are set; bits without a meaning are kept and have no effect.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Heavier, or brighter, characters.
  public static let bold = Attributes(rawValue: 1 << 0)
  /// Fainter characters.
  public static let dim = Attributes(rawValue: 1 << 1)
  /// Slanted characters.
  public static let italic = Attributes(rawValue: 1 << 2)
  /// A line below the characters.
  public static let underline = Attributes(rawValue: 1 << 3)
  /// Foreground and background exchanged.
  public static let inverse = Attributes(rawValue: 1 << 4)
}

extension Style {
  /// `text` in this style as bytes for a line-based command, the terminal's own look restored after it.
  ///
  /// With `.none` the text comes back unchanged and without any escape sequence, attributes included, so that a pipe
  /// or a file gets plain text. What the text itself contains is passed through.
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
