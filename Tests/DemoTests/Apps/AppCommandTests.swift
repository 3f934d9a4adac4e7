import Foundation
import Loopback
import TerminalTesting
import TestSupport
import Testing

@testable import Demo

@Suite("Commands dictionary, stories and open", .timeLimit(.minutes(5)))
struct AppCommandTests {
  private static let logIn = "'ayaka' tab 'tulp' enter"

  @Test("a script presses keys and the command prints the last screen")
  func script() async throws {
    let word = try await DemoProcess.run("dictionary", "--script", "\(Self.logIn) down enter")
    #expect(word.status == 0 && word.output.hasPrefix(" ‹ brood\n") && word.output.contains("English  bread"))
    let back = try await DemoProcess.run("dictionary", "--script", "\(Self.logIn) down enter back")
    #expect(back.output.hasPrefix(" Words\n") && back.output.filter { $0 == "\n" }.count == 24, "\(back)")
    #expect(try await DemoProcess.run("stories", "--script", "down ctrl-c enter").status == 130)
  }

  @Test(
    "a link opens its screen, after a log-in if the screen needs one",
    arguments: [
      ("stories/104", "", " ‹ お土産\n"), ("users/gary", "", "Draws boundaries."), ("messages/5", "", "Ring ring."),
      ("stories/12345", "", "× Log in ─"), ("stories/12345", logIn, " ‹ Surprise party\n"),
      ("messages/6", logIn, " ‹ Message\n"), ("words/kaas", logIn, " ‹ kaas\n"),
      ("words/search?q=ijs", logIn, "ice, ice cream"), ("phrases", logIn, " Phrases\n"),
      ("stories/9", "", "404"),
      // Closing the log-in discards the link.
      ("stories/12345", "escape end enter \(logIn)", " Stories\n"),
    ])
  func link(link: String, keys: String, shown: String) async throws {
    let outcome = try await DemoProcess.run("open", "boundaries://\(link)", "--script", keys)
    #expect(outcome.status == 0 && outcome.output.contains(shown), "\(outcome)")
  }

  @Test(
    "an invalid command line exits with code 64 and an explanation",
    arguments: [
      (["open", "boundaries://storeis/1"], "No route matches this link"), (["open", "nonsense"], "nonsense"),
      (["open", "boundaries://words/search?q=%zz"], "two hexadecimal digits after '%'"),
      (["open", "boundaries://stories/\u{1B}[31m"], #"\u{1B}"#),
      (["stories", "--script", "dwon"], #""dwon" is not a key"#),
      (["stories", "--web", "--script", "down"], "cannot be used together"),
      (["stories", "--port", "1"], "only be used with --web"),
      (["stories", "--server", "http://ayaka:tulp@127.0.0.1:99999"], "'http://…@127.0.0.1:99999'"),
    ])
  func usageErrors(arguments: [String], words: String) async throws {
    let outcome = try await DemoProcess.start(arguments).outcome()
    #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
    #expect(!outcome.errors.contains("\u{1B}") && !outcome.errors.contains("tulp"))
  }

  @Test("without a terminal, the error suggests --script and --web")
  func noTerminal() async throws {
    let outcome = try await DemoProcess.run("stories")
    #expect(outcome.status == 1 && outcome.errors.contains("Use --web to open it in a browser, or --script"))
    let dumb = try TerminalProcess.demo(["stories"], terminal: "dumb")
    try await dumb.expect("the error") { screen in screen.lines.contains { $0.contains("Cannot show the app") } }
    #expect(await dumb.ending() == 1)
  }

  @Test("an unreachable server is an error on the screen with a button to try again")
  func unreachableServer() async throws {
    let outcome = try await DemoProcess.run("stories", "--server", "http://127.0.0.1:9", "--script", "")
    #expect(outcome.status == 0 && outcome.output.contains("nothing accepts connections"))
    #expect(outcome.output.contains("[ Try again ]"))
  }

  @Test("an app follows the window's size, and restores the terminal after a key or a signal ends it")
  func window() async throws {
    let window = try TerminalProcess.demo(["stories"])
    try await window.expect("the stories") { $0.lines.contains { $0.contains("Concert tickets") } }
    window.resize(columns: 30, rows: 8)
    try await window.expect("a small window") {
      $0.lines.first == " Stories" && $0.lines.contains { $0.contains("Lunch") }
    }
    window.type("\u{3}")
    #expect(await window.ending() == 130)
    #expect(!window.reader.isFullScreen && window.reader.unknown == [])

    let killed = try TerminalProcess.demo(["stories"])
    try await killed.expect("the stories") { $0.lines.contains { $0.contains("Concert tickets") } }
    killed.signal(SIGTERM)
    _ = await killed.ending()
    #expect(!killed.reader.isFullScreen && killed.reader.unknown == [])
  }
}
