/// The number of colours that an output supports.
public enum ColorCapability: Int, Hashable, Sendable, Comparable, CaseIterable {
  /// No colour.
  ///
  /// A line-based command then writes text without escape sequences. A full-screen program keeps bold, underline and
  /// inverse, because it cannot show a selection otherwise.
  case none
  /// The sixteen named colours.
  case ansi16
  /// The 256-colour palette.
  case ansi256
  /// 24-bit colour.
  case trueColor

  /// Returns whether the left capability has fewer colours than the right one.
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
  ///
  /// Pure: the same arguments always give the same result.
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
