/// A colour of a terminal, from the terminal's default to 24-bit colours.
public enum Color: Hashable, Sendable {
  /// The terminal's own default colour.
  case `default`
  /// A colour from the sixteen named colours; the terminal's theme defines its shade.
  case ansi(ANSIColor)
  /// A colour of the 256-colour palette: 0–15 named, 16–231 a 6×6×6 cube, 232–255 a grey ramp.
  case palette(UInt8)
  /// A 24-bit sRGB colour, each component 0–255.
  case rgb(UInt8, UInt8, UInt8)
}

/// The sixteen colours of every colour terminal.
public enum ANSIColor: UInt8, Hashable, Sendable, CaseIterable {
  /// The theme's black.
  case black
  /// The theme's red.
  case red
  /// The theme's green.
  case green
  /// The theme's yellow.
  case yellow
  /// The theme's blue.
  case blue
  /// The theme's magenta.
  case magenta
  /// The theme's cyan.
  case cyan
  /// The theme's white, often a light grey.
  case white
  /// The theme's bright black, often a dark grey.
  case brightBlack
  /// The theme's bright red.
  case brightRed
  /// The theme's bright green.
  case brightGreen
  /// The theme's bright yellow.
  case brightYellow
  /// The theme's bright blue.
  case brightBlue
  /// The theme's bright magenta.
  case brightMagenta
  /// The theme's bright cyan.
  case brightCyan
  /// The theme's bright white.
  case brightWhite
}

extension Color {
  /// The theme's red.
  public static let red = Color.ansi(.red)
  /// The theme's green.
  public static let green = Color.ansi(.green)
  /// The theme's yellow.
  public static let yellow = Color.ansi(.yellow)
  /// The theme's blue.
  public static let blue = Color.ansi(.blue)
  /// The theme's magenta.
  public static let magenta = Color.ansi(.magenta)
  /// The theme's cyan.
  public static let cyan = Color.ansi(.cyan)
}
