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

/// The sixteen colours of every colour terminal; its theme defines their shades.
public enum ANSIColor: UInt8, Hashable, Sendable, CaseIterable {
  case black
  case red
  case green
  case yellow
  case blue
  case magenta
  case cyan
  case white
  case brightBlack
  case brightRed
  case brightGreen
  case brightYellow
  case brightBlue
  case brightMagenta
  case brightCyan
  case brightWhite
}

extension Color {
  public static let red = Color.ansi(.red)
  public static let green = Color.ansi(.green)
  public static let yellow = Color.ansi(.yellow)
  public static let blue = Color.ansi(.blue)
  public static let magenta = Color.ansi(.magenta)
  public static let cyan = Color.ansi(.cyan)
}

/// The number of colours that an output supports.
public enum ColorCapability: Int, Hashable, Sendable, Comparable, CaseIterable {
  /// A line-based command then writes text without escape sequences. A full-screen program keeps bold, underline and
  /// inverse, because it cannot show a selection otherwise.
  case none
  case ansi16
  case ansi256
  case trueColor

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ColorCapability {
  /// Determines the colours of an output from the environment and from whether the output is a terminal.
  ///
  /// The first matching rule applies:
  /// 1. `NO_COLOR` is set and not empty: no colour (no-color.org).
  /// 2. `FORCE_COLOR` is set: `0` or `false` no colour, `1` sixteen, `2` 256, `3` 24-bit, any other value at least
  ///    sixteen. `CLICOLOR_FORCE` is set, not empty and not `0`: at least sixteen. Both also apply to a pipe or a file.
  /// 3. The output is not a terminal, `CLICOLOR` is `0`, or `TERM` is absent, empty or `dumb`: no colour.
  /// 4. `COLORTERM` is `truecolor` or `24bit`, or the terminal is known to support it: 24-bit. `TERM` contains
  ///    `256color`, or `TERM_PROGRAM` is `Apple_Terminal`: 256. Otherwise sixteen.
  public init(environment: [String: String], isTerminal: Bool) {
    let supported = Self.supported(environment)
    let force = environment["CLICOLOR_FORCE"] ?? ""
    switch environment["FORCE_COLOR"]?.lowercased() {
    case _ where !(environment["NO_COLOR"] ?? "").isEmpty: self = .none
    case "0", "false": self = .none
    case "1": self = .ansi16
    case "2": self = .ansi256
    case "3": self = .trueColor
    case .some: self = max(.ansi16, supported)
    case nil where !force.isEmpty && force != "0": self = max(.ansi16, supported)
    case nil: self = isTerminal && environment["CLICOLOR"] != "0" ? supported : .none
    }
  }

  private static func supported(_ environment: [String: String]) -> ColorCapability {
    let term = environment["TERM"]?.lowercased() ?? ""
    if term.isEmpty || term == "dumb" { return .none }
    switch environment["COLORTERM"]?.lowercased() {
    case "truecolor", "24bit": return .trueColor
    default: break
    }
    if environment["TERM_PROGRAM"] == "iTerm.app" { return .trueColor }
    let has = { (names: [String]) in names.contains { term.contains($0) } }
    if has(["-direct", "-truecolor", "kitty", "alacritty", "wezterm", "ghostty"]) { return .trueColor }
    return has(["256color"]) || environment["TERM_PROGRAM"] == "Apple_Terminal" ? .ansi256 : .ansi16
  }
}

extension Color {
  /// Returns the nearest colour that an output with this capability supports, or `.default` for no colour.
  ///
  /// The distance is a weighted distance in sRGB that approximates perception. The sixteen named colours have xterm's
  /// shades, because the theme's shades cannot be queried. Converting the result again does not
  /// change it.
  func downgraded(to capability: ColorCapability) -> Color {
    switch (capability, self) {
    case (.none, _), (_, .default): return .default
    case (_, .ansi), (.trueColor, _), (.ansi256, .palette): return self
    case (.ansi256, .rgb(let red, let green, let blue)):
      return .palette(Palette.nearest(in: 16...255, to: RGB(red: red, green: green, blue: blue)))
    case (.ansi16, .palette(let index)):
      if let named = ANSIColor(rawValue: index) { return .ansi(named) }
      return Palette.nearestNamed(to: Palette.color(at: index))
    case (.ansi16, .rgb(let red, let green, let blue)):
      return Palette.nearestNamed(to: RGB(red: red, green: green, blue: blue))
    }
  }
}

/// A 24-bit colour by its components, for arithmetic.
struct RGB: Hashable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  /// Returns the squared "redmean" distance, which weights green most, and red and blue by the mean red component.
  func distance(to other: RGB) -> Int {
    let mean = (Int(red) + Int(other.red)) / 2
    let red = Int(self.red) - Int(other.red)
    let green = Int(self.green) - Int(other.green)
    let blue = Int(self.blue) - Int(other.blue)
    return (((512 + mean) * red * red) >> 8) + 4 * green * green + (((767 - mean) * blue * blue) >> 8)
  }
}

/// The 256 colours of xterm.
enum Palette {
  static func color(at index: UInt8) -> RGB {
    switch index {
    case 0..<16:
      return named[Int(index)]
    case 16..<232:
      let cube = Int(index) - 16
      return RGB(red: steps[cube / 36], green: steps[cube / 6 % 6], blue: steps[cube % 6])
    default:
      let grey = 8 + 10 * (index - 232)
      return RGB(red: grey, green: grey, blue: grey)
    }
  }

  static func nearest(in indices: ClosedRange<UInt8>, to color: RGB) -> UInt8 {
    indices.min { Self.color(at: $0).distance(to: color) < Self.color(at: $1).distance(to: color) } ?? 0
  }

  static func nearestNamed(to color: RGB) -> Color {
    ANSIColor(rawValue: nearest(in: 0...15, to: color)).map(Color.ansi) ?? .default
  }

  private static let steps: [UInt8] = [0, 95, 135, 175, 215, 255]

  private static let named: [RGB] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
    (255, 255, 255),
  ].map { RGB(red: $0.0, green: $0.1, blue: $0.2) }
}
