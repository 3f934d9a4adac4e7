import CoordinatorsTerminal
import Terminal
import Testing

@Suite("A script of keys")
struct TerminalScriptTests {
  @Test("a script consists of key names in any case, letters and quoted text")
  func scriptIsParsed() throws {
    #expect(try TerminalScript("down enter back").keys == [KeyPress(.down), KeyPress(.enter), KeyPress(.escape)])
    #expect(
      try TerminalScript("'é 1' \"it's\"").keys.map(\.key)
        == "é 1it's".unicodeScalars.map { .character(Character($0)) })
    #expect(
      try TerminalScript(" q\tctrl-c  BackTab ").keys
        == [KeyPress(.character("q")), KeyPress(.character("c"), .control), KeyPress(.tab, .shift)])
    #expect(try TerminalScript("").keys.isEmpty)
  }

  @Test(
    "the error of an unknown key names the word and the valid words",
    arguments: ["dwon", "ctrl-", "ctrl-xx", "Ctrl-1", "ctrl-é"])
  func unknownKeyIsReported(text: String) throws {
    let error = #expect(throws: TerminalScriptError.self) { try TerminalScript("down \(text)") }
    #expect(
      error?.description == """
        Cannot read the script: \(text.debugDescription) is not a key. Use up, down, left, right, enter, tab, backtab, space, escape, \
        back, backspace, delete, home, end, pageup, pagedown, ctrl- and a letter from a to z, a single character, or \
        text between two quotes of the same kind.
        """)
  }

  @Test("text without a closing quote and control characters are refused", arguments: ["down 'open", "down \u{1B}[A"])
  func invalidTextIsRefused(text: String) throws {
    let error = #expect(throws: TerminalScriptError.self) { try TerminalScript(text) }
    let description = try #require(error?.description)
    #expect(description.contains("text between two quotes") && description.contains("ctrl- and a letter"))
    #expect(description.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
  }
}
