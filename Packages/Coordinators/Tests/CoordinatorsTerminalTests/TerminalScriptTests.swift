import CoordinatorsTerminal
import Terminal
import Testing

@Suite("A script of keys")
struct TerminalScriptTests {
  @Test("a script consists of key names, letters and quoted text")
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

  @Test("the case of a key name does not matter, and a single character keeps its case")
  func caseOfKeyNameDoesNotMatter() throws {
    #expect(
      try TerminalScript("Ctrl-C CTRL-z Enter PAGEUP Q").keys
        == [
          KeyPress(.character("c"), .control), KeyPress(.character("z"), .control), KeyPress(.enter),
          KeyPress(.pageUp), KeyPress(.character("Q")),
        ])
  }

  @Test(
    "the error of an unknown key names the word and the valid words",
    arguments: ["dwon", "ctrl-", "ctrl-xx", "Ctrl-1", "ctrl-é"])
  func unknownKeyIsReported(text: String) throws {
    let error = #expect(throws: TerminalScriptError.self) { try TerminalScript("down \(text)") }
    #expect(
      error?.description == """
        Cannot read the script: '\(text)' is not a key. Use up, down, left, right, enter, tab, backtab, space, escape, \
        back, backspace, delete, home, end, pageup, pagedown, ctrl- and a letter from a to z, a single character, or \
        text in quotes.
        """)
  }

  @Test("the error of text without a closing quote asks for the quote")
  func openQuoteIsReported() throws {
    let error = #expect(throws: TerminalScriptError.self) { try TerminalScript("down 'open") }
    #expect(error?.description.contains("'open has no closing quote. Close it") == true)
  }

  @Test(
    "a control character is not a key, also within quotes",
    arguments: ["\u{3}", "down \u{1B}[A", "ctrl-\u{3}", "'fiets\u{7F}'", "\"a\nb\""])
  func controlCharacterIsRefused(text: String) throws {
    let error = #expect(throws: TerminalScriptError.self) { try TerminalScript(text) }
    let description = try #require(error?.description)
    #expect(description.contains("control character") && description.contains("ctrl-c"))
    #expect(description.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
  }
}
