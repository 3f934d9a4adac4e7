import Foundation
import TerminalTesting
import Testing

@testable import Demo

/// Only the foreground program uses the terminal.
@Suite("Demo apps under job control", .timeLimit(.minutes(5)))
struct AppsJobControlTests {
  /// Whether a line contains a text while no full-screen program is active.
  private static func hasLine(_ words: String) -> @Sendable (ScreenReader) -> Bool {
    { screen in !screen.isFullScreen && screen.lines.contains { $0.contains(words) } }
  }

  private static let stories: @Sendable (ScreenReader) -> Bool = { screen in
    screen.isFullScreen && screen.lines.contains { $0.contains("Concert tickets") }
  }

  /// Checks that the shell still owns the terminal, then brings the app to the foreground.
  private func expectSilence(in shell: TerminalProcess, _ number: Int) async throws {
    shell.type("echo $((40 + \(number))) is still heard\n")
    try await shell.expect("the shell", until: Self.hasLine("\(40 + number) is still heard"))
    #expect(!shell.reader.hasBeenFullScreen)
    // Clears the screen, so that an earlier "Stopped" is not visible again after the app.
    shell.type("printf '\\033[H\\033[2J'; fg\n")
    try await shell.expect("the stories", until: Self.stories)
  }

  @Test(
    "a terminal without cursor control is refused with an error that names the alternatives",
    arguments: ["dumb", "", "unknown"])
  func terminalWithoutScreens(terminal: String) async throws {
    let command = try TerminalProcess.demo(["stories"], terminal: terminal)
    try await command.expect("the reason") { screen in
      screen.hasBeenFullScreen || screen.lines.contains { $0.contains("Cannot show the app") }
    }
    // An app that draws does not end by itself, so the wait below would not end.
    try #require(!command.reader.hasBeenFullScreen)
    #expect(await command.ending() == 17)
  }

  @Test("an app draws with ASCII in a locale without UTF-8")
  func localeWithoutUTF8() async throws {
    let command = try TerminalProcess.demo(["stories"], locale: "C")
    try await command.expect("the stories", until: Self.stories)
    #expect(command.reader.lines.contains { $0.contains("^v move") })
    #expect(command.reader.lines.joined().allSatisfy { $0.isASCII })
    command.type("q")
    #expect(await command.ending() == 0)
  }

  @Test("an app started in the background stays silent, and draws when it moves to the foreground")
  func backgroundJob() async throws {
    let shell = try TerminalProcess.shell()
    // `set -b` reports jobs immediately, not with the next prompt.
    shell.type("set -b; \"$demo\" stories &\n")
    try await shell.expect("that it was stopped", until: Self.hasLine("Stopped"))
    try await expectSilence(in: shell, 2)

    // Ctrl-Z stops the app. In the background it asks for the terminal and is stopped again.
    shell.type("\u{1A}")
    try await shell.expect("that it was stopped again", until: Self.hasLine("Stopped"))
    shell.resize(columns: 80, rows: 30)
    // Clears the screen, so that the next "Stopped" is not the last one: `fg` must not overtake the stop.
    shell.type("printf '\\033[H\\033[2J'; bg\n")
    try await shell.expect("that it was stopped in the background", until: Self.hasLine("Stopped"))
    try await expectSilence(in: shell, 3)
    shell.type("q")
    try await shell.expect("its end") { !$0.isFullScreen }
    shell.type("echo it left $?; exit\n")
    try await shell.expect("the status", until: Self.hasLine("it left 0"))
    #expect(await shell.ending() == 0)
  }
}
