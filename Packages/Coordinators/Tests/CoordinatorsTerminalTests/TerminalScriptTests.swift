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

  @Test(
    "the error of an unknown key names the word and the valid words",
    arguments: ["dwon", "down 'open", "ctrl-", "ctrl-xx"])
  func unknownKeyIsReported(text: String) throws {
    let error = #expect(throws: TerminalScriptError.self) { try TerminalScript(text) }
    #expect(error?.description.contains(text == "down 'open" ? "'open has no closing quote. Close it" : text) == true)
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
