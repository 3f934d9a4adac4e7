internal import Terminal

public struct ScreenTheme: Sendable, Hashable {
  /// The colour of letters, as in CSS.
  public var foreground: String
  public var background: String
  /// The sixteen named colours, in the order of `ANSIColor`, as in CSS.
  public var named: [String]

  /// Creates a theme; a missing named colour is the foreground.
  public init(foreground: String, background: String, named: [String]) {
    self.foreground = foreground
    self.background = background
    self.named = named
  }

  public static let dark = ScreenTheme(
    foreground: "#e6e6e6", background: "#1b1b1b",
    named: [
      "#1b1b1b", "#d9534f", "#5cb85c", "#d9a441", "#5b8dd9", "#b36bd1", "#4fb3bf", "#cfcfcf",
      "#6e6e6e", "#ff7b76", "#86e086", "#ffd166", "#8ab4ff", "#dd9bf7", "#7fe3ee", "#ffffff",
    ])

  public static let light = ScreenTheme(
    foreground: "#202020", background: "#ffffff",
    named: [
      "#202020", "#b3261e", "#2e7d32", "#8a6100", "#1a56b0", "#7b2d96", "#00707c", "#9a9a9a",
      "#5a5a5a", "#d93b33", "#3f9e44", "#b07c00", "#2f74d9", "#9c44bb", "#008f9e", "#c8c8c8",
    ])

  /// A colour in CSS; `nil` for the terminal's own.
  func css(_ color: Color) -> String? {
    switch color {
    case .default: nil
    case .ansi(let color): named(Int(color.rawValue))
    case .palette(let index): palette(Int(index))
    case .rgb(let red, let green, let blue): "rgb(\(red),\(green),\(blue))"
    }
  }

  private func named(_ index: Int) -> String { named.indices.contains(index) ? named[index] : foreground }

  /// The 256 colours: the named ones, a cube of six steps a side, and a ramp of grey.
  private func palette(_ index: Int) -> String {
    switch index {
    case ..<16: return named(index)
    case 16..<232:
      let steps = [0, 95, 135, 175, 215, 255]
      let place = index - 16
      return "rgb(\(steps[place / 36]),\(steps[place / 6 % 6]),\(steps[place % 6]))"
    default:
      let grey = 8 + 10 * (index - 232)
      return "rgb(\(grey),\(grey),\(grey))"
    }
  }
}
