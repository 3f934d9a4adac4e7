/// How many colours an output can show.
public enum ColorCapability: Int, Hashable, Sendable, Comparable, CaseIterable {
  /// No colour. Text for a line-based command then carries no escape sequence at all; a full-screen program keeps
  /// bold, underline and inverse, since it cannot show a selection otherwise.
  case none
  /// The sixteen named colours.
  case ansi16
  /// The 256-colour palette.
  case ansi256
  /// 24-bit colour.
  case trueColor

  /// Fewer colours are less.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ColorCapability {
  /// What an output can show, decided from the environment and from whether the output is a terminal.
  ///
  /// In this order:
  /// 1. `NO_COLOR`, set and not empty: none, whatever else is set (no-color.org).
  /// 2. `FORCE_COLOR`: `0` or `false` none, `1` sixteen, `2` 256, `3` 24-bit; anything else, and `CLICOLOR_FORCE`
  ///    other than `0`, at least sixteen, also into a pipe or a file.
  /// 3. Not a terminal, `CLICOLOR=0`, or `TERM` absent, empty or `dumb`: none.
  /// 4. `COLORTERM` `truecolor` or `24bit`, or a `TERM` known for it: 24-bit; a `TERM` with `256color`: 256; else
  ///    sixteen.
  ///
  /// Pure: the same arguments always give the same answer.
  public init(environment: [String: String], isTerminal: Bool) {
    if environment["NO_COLOR"].map({ !$0.isEmpty }) == true {
      self = .none
      return
    }
    let told = Self.forced(environment["FORCE_COLOR"])
    switch told {
    case .exactly(let capability):
      self = capability
      return
    case .atLeastSixteen:
      self = max(.ansi16, Self.supported(environment))
      return
    case .unsaid:
      break
    }
    if let force = environment["CLICOLOR_FORCE"], !force.isEmpty, force != "0" {
      self = max(.ansi16, Self.supported(environment))
      return
    }
    self = isTerminal && environment["CLICOLOR"] != "0" ? Self.supported(environment) : .none
  }

  private enum Force {
    case unsaid
    case atLeastSixteen
    case exactly(ColorCapability)
  }

  private static func forced(_ value: String?) -> Force {
    switch value?.lowercased() {
    case nil: .unsaid
    case "0", "false": .exactly(.none)
    case "1": .exactly(.ansi16)
    case "2": .exactly(.ansi256)
    case "3": .exactly(.trueColor)
    default: .atLeastSixteen
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
