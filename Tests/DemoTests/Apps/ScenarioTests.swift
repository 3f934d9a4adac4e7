import Foundation
import TerminalTesting
import Testing

@testable import Demo

/// Runs each scenario in the real program on a pseudo-terminal and in a real browser.
///
/// After every step both show the same title, words and tabs, and both or neither can go back.
@Suite("Scenarios in a terminal and in a browser", .timeLimit(.minutes(5)))
struct ScenarioTests {
  /// Runs a scenario in the browser, then in a terminal, and compares them after each step.
  private func play(
    _ arguments: [String], _ scenario: @escaping @Sendable (any UserDriver) async throws -> Void
  ) async throws {
    let contents = try await WebShellProcess.use(arguments) { url in
      let user = RecordingUserDriver(try await BrowserUserDriver(at: url)) { browser, _ in
        try await browser.visibleContent()
      }
      try await scenario(user)
      return user.contents
    }
    #expect(!contents.isEmpty)
    let window = try TerminalProcess.demo(arguments, columns: 120, rows: 60)
    let user = RecordingUserDriver(TerminalUserDriver(window)) { terminal, number in
      try await terminal.expect(contents[number])
      return contents[number]
    }
    try await scenario(user)
    #expect(user.contents == contents)
    window.type("\u{3}")
    #expect(await window.ending() == 130)
    #expect(!window.reader.isFullScreen && window.reader.unknown == [])
  }

  private static let credentials = [(label: "Name", text: "ayaka"), (label: "Password", text: "tulp")]

  @Test("logging in, reading a word, changing tabs and logging out look the same in both shells")
  func logInBrowseAndLogOut() async throws {
    try await play(["dictionary"]) { user in
      try await user.expectTitle("Log in")
      try await user.fillIn([("Name", "ayaka"), ("Password", "wrong")], send: "Log in")
      try await user.expectTitle("Log in")
      #expect(try await user.shows("Wrong name or password."))
      try await user.fillIn(Self.credentials, send: "Log in")
      try await user.expectTitle("Words")
      try await user.choose("het brood")
      try await user.expectTitle("brood")
      #expect(try await user.shows("Het brood is nog warm."))
      try await user.goBack()
      try await user.expectTitle("Words")
      try await user.select(tab: "Phrases")
      try await user.expectTitle("Phrases")
      try await user.choose("Helaas pindakaas.")
      try await user.expectTitle("Helaas pindakaas.")
      try await user.select(tab: "Words")
      try await user.expectTitle("Words")
      try await user.choose("Log out")
      try await user.expectTitle("Log in")
    }
  }

  @Test("searching for a word and opening it look the same in both shells")
  func searchForWord() async throws {
    try await play(["dictionary"]) { user in
      try await user.expectTitle("Log in")
      try await user.fillIn(Self.credentials, send: "Log in")
      try await user.expectTitle("Words")
      try await user.choose("Search")
      try await user.expectTitle("Search")
      try await user.fillIn([("Find", "fiets")], send: "Search")
      try await user.expectTitle("Search")
      #expect(try await user.shows("de fietser"))
      try await user.choose("de fietser")
      try await user.expectTitle("fietser")
      try await user.goBack()
      try await user.expectTitle("Words")
    }
  }

  @Test("reading a story, its sender and its messages look the same in both shells")
  func readStory() async throws {
    try await play(["stories"]) { user in
      try await user.expectTitle("Stories")
      #expect(try await user.shows("お土産"))
      #expect(try await !user.shows("Surprise party"))
      try await user.choose("お土産")
      try await user.expectTitle("お土産")
      #expect(try await user.shows("東京ばな奈 🍌 for everybody."))
      try await user.choose("From")
      try await user.expectTitle("美 (Mei)")
      try await user.goBack()
      try await user.expectTitle("お土産")
      try await user.choose("Messages")
      try await user.expectTitle("Messages: お土産")
      try await user.choose("Ayaka")
      try await user.expectTitle("Message")
      #expect(try await user.shows("ありがとう！"))
    }
  }
}

/// A user driver that records the visible content after every step.
private final class RecordingUserDriver<Driver: UserDriver>: UserDriver {
  private let user: Driver
  private let inspect: (Driver, Int) async throws -> VisibleContent
  private(set) var contents: [VisibleContent] = []

  init(_ user: Driver, inspect: @escaping (Driver, Int) async throws -> VisibleContent) {
    self.user = user
    self.inspect = inspect
  }

  func choose(_ title: String) async throws { try await user.choose(title) }
  func goBack() async throws { try await user.goBack() }
  func select(tab: String) async throws { try await user.select(tab: tab) }
  func shows(_ text: String) async throws -> Bool { try await user.shows(text) }

  func fillIn(_ values: [(label: String, text: String)], send: String) async throws {
    try await user.fillIn(values, send: send)
  }

  func expectTitle(_ title: String) async throws {
    try await user.expectTitle(title)
    contents.append(try await inspect(user, contents.count))
  }
}
