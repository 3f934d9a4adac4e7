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
