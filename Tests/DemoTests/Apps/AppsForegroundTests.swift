import Foundation
import Testing

@testable import Demo

/// Who has the terminal: the program in the foreground, and nobody else.
@Suite("The talk's apps, among the jobs of a shell", .timeLimit(.minutes(5)))
struct AppsForegroundTests {
  /// Whether a line of the window says this, and a full-screen program does not have it.
  private static func says(_ words: String) -> @Sendable (DemoScreenReader) -> Bool {
    { screen in !screen.isFullScreen && screen.lines.contains { $0.contains(words) } }
  }

  private static let stories: @Sendable (DemoScreenReader) -> Bool = { screen in
    screen.isFullScreen && screen.lines.contains { $0.contains("Concert tickets") }
  }

  /// Expects the shell's prompt to be the shell's, and brings the stories to the foreground.
  private func expectSilence(in shell: DemoTerminalProcess, _ number: Int) async throws {
    shell.type("echo $((40 + \(number))) is still heard\n")
    try await shell.wait("the shell", until: Self.says("\(40 + number) is still heard"))
    #expect(!shell.screen.hasBeenFullScreen)
    shell.type("fg\n")
    try await shell.wait("the stories", until: Self.stories)
  }

  @Test(
    "a terminal that cannot be drawn on is told so, with what there is instead", arguments: ["dumb", "", "unknown"])
  func dumb(terminal: String) async throws {
    let command = try DemoTerminalProcess(["stories"], terminal: terminal)
    try await command.wait("the reason") { screen in
      screen.hasBeenFullScreen || screen.lines.contains { $0.contains("Cannot show the app") }
    }
    // One that draws would not end by itself.
    try #require(!command.screen.hasBeenFullScreen)
    #expect(await command.ending() == 17)
  }

  @Test("in a locale without UTF-8 they draw with ASCII")
  func ascii() async throws {
    let command = try DemoTerminalProcess(["stories"], locale: "C")
    try await command.wait("the stories", until: Self.stories)
    #expect(command.screen.lines.contains { $0.contains("^v move") })
    #expect(command.screen.lines.joined().allSatisfy { $0.isASCII })
    command.type("q")
    #expect(await command.ending() == 0)
  }

  @Test("in the background they wait without a word, and draw when they are brought to the foreground")
  func background() async throws {
    let shell = try DemoTerminalProcess.shell()
    // Tells of jobs at once, not with the next prompt.
    shell.type("set -b; \"$demo\" stories &\n")
    try await shell.wait("that it was stopped", until: Self.says("Stopped"))
    try await expectSilence(in: shell, 2)

    // Stopped by a key, and sent to the background: it asks for the terminal again, and does not get it.
    shell.type("\u{1A}")
    try await shell.wait("that it was stopped again", until: Self.says("Stopped"))
    shell.resize(columns: 80, rows: 30)
    shell.type("bg\n")
    try await shell.wait("that it was stopped in the background", until: Self.says("Stopped"))
    try await expectSilence(in: shell, 3)
    shell.type("q")
    try await shell.wait("its end") { !$0.isFullScreen }
    shell.type("echo it left $?; exit\n")
    try await shell.wait("the status", until: Self.says("it left 0"))
    #expect(await shell.ending() == 0)
  }
}
