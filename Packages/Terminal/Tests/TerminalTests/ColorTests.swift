import TerminalTesting
import Testing

@testable import Terminal

@Suite("Colour")
struct ColorTests {
  @Test(
    "The environment and the kind of output decide the colour capability",
    arguments: [
      ([:], true, .none), (["TERM": "xterm"], true, .ansi16), (["TERM": "xterm"], false, .none),
      (["TERM": "dumb", "COLORTERM": "truecolor"], true, .none), (["TERM": ""], true, .none),
      (["TERM": "xterm-256color"], true, .ansi256), (["TERM": "xterm-kitty"], true, .trueColor),
      (["TERM": "xterm-direct"], true, .trueColor), (["TERM": "xterm", "COLORTERM": "24bit"], true, .trueColor),
      (["TERM": "xterm", "COLORTERM": "truecolor"], false, .none),
      (["TERM": "xterm", "NO_COLOR": "1"], true, .none), (["TERM": "xterm", "NO_COLOR": ""], true, .ansi16),
      (["TERM": "xterm", "NO_COLOR": "1", "FORCE_COLOR": "3"], true, .none),
      (["FORCE_COLOR": "3"], false, .trueColor), (["FORCE_COLOR": "2"], false, .ansi256),
      (["FORCE_COLOR": "1", "TERM": "xterm-256color"], false, .ansi16), (["FORCE_COLOR": ""], false, .ansi16),
      (["FORCE_COLOR": "true", "TERM": "xterm-256color"], false, .ansi256),
      (["FORCE_COLOR": "0", "TERM": "xterm"], true, .none), (["CLICOLOR_FORCE": "1"], false, .ansi16),
      (["CLICOLOR_FORCE": "0", "TERM": "xterm"], false, .none), (["CLICOLOR": "0", "TERM": "xterm"], true, .none),
      (["TERM": "xterm", "TERM_PROGRAM": "iTerm.app"], true, .trueColor),
    ] as [([String: String], Bool, ColorCapability)])
  func environmentDecidesColorCapability(environment: [String: String], isTerminal: Bool, expected: ColorCapability) {
    #expect(ColorCapability(environment: environment, isTerminal: isTerminal) == expected)
  }

  @Test(
    "A colour is converted to the nearest supported colour",
    arguments: [
      (.rgb(255, 0, 0), .ansi256, .palette(196)), (.rgb(8, 8, 8), .ansi256, .palette(232)),
      (.rgb(128, 128, 128), .ansi256, .palette(244)), (.rgb(255, 255, 255), .ansi256, .palette(231)),
      (.rgb(250, 10, 10), .ansi16, .ansi(.brightRed)), (.palette(9), .ansi16, .ansi(.brightRed)),
      (.palette(21), .ansi16, .ansi(.blue)), (.palette(255), .ansi16, .ansi(.white)),
      (.rgb(1, 2, 3), .trueColor, .rgb(1, 2, 3)), (.palette(77), .ansi256, .palette(77)), (.red, .none, .default),
      (.default, .ansi16, .default),
    ] as [(Color, ColorCapability, Color)])
  func colorIsConvertedToNearest(color: Color, capability: ColorCapability, expected: Color) {
    #expect(color.downgraded(to: capability) == expected)
  }

  @Test("Styled text starts and ends with the sequences of its style, and is plain without colours")
  func styledTextStartsAndEndsItsStyle() {
    let style = Style(foreground: .rgb(1, 2, 3), background: .ansi(.brightBlack), attributes: [.bold, .dim])
    #expect(style.applied(to: "x", color: .trueColor) == "\u{1B}[1;2;38;2;1;2;3;100mx\u{1B}[m")
    #expect(style.applied(to: "x", color: .none) == "x")
    #expect(style.applied(to: "", color: .trueColor) == "")
    #expect(Style.plain.applied(to: "x", color: .trueColor) == "x")
  }
}
