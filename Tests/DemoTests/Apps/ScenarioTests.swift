import Foundation
import Testing

@testable import Demo

/// The same scenarios through the real program on a pseudo-terminal, and over HTTP from its web shell.
///
/// A plain HTTP client stands in for a browser: it follows links, posts forms and keeps a history, and knows no scripts, of
/// which there are none.
@Suite("The talk's apps, in every shell")
struct ScenarioTests {
  enum Shell: String, CaseIterable, Sendable { case terminal, web }

  /// Runs a scenario in a shell.
  private func use(
    _ arguments: [String], in shell: Shell, _ scenario: @escaping @Sendable (any DemoPerson) async throws -> Void
  ) async throws {
    switch shell {
    case .terminal:
      let window = try DemoTerminalProcess(arguments)
      try await scenario(TerminalPerson(window))
      window.type("\u{3}")
      #expect(await window.ending() == 130)
      #expect(!window.screen.isFullScreen && window.screen.unknown == [])
    case .web:
      let demo = try DemoProcess.start(arguments + ["--web"])
      let line = try #require(await demo.firstLine())
      let url = try #require(line.split(separator: " ").first.flatMap { URL(string: String($0)) })
      do { try await scenario(WebPerson(url)) } catch {
        demo.interrupt()
        _ = await demo.outcome()
        throw error
      }
      demo.interrupt()
      #expect(await demo.outcome().status == 130)
    }
  }

  private static let credentials = [(label: "Name", text: "ayaka"), (label: "Password", text: "tulp")]

  @Test("log in, look at a word, go back, change the tab, log out", arguments: Shell.allCases)
  func dictionary(shell: Shell) async throws {
    try await use(["dictionary"], in: shell) { person in
      try await person.sees("Log in")
      try await person.fillIn([("Name", "ayaka"), ("Password", "wrong")], send: "Log in")
      try await person.sees("Log in")
      try await Self.eventually(person, reads: "No account has this name and this password.")
      try await person.fillIn(Self.credentials, send: "Log in")
      try await person.sees("Words")
      try await person.choose("het brood")
      try await person.sees("brood")
      #expect(try await person.reads("Het brood is nog warm."))
      try await person.goBack()
      try await person.sees("Words")
      try await person.select(tab: "Phrases")
      try await person.sees("Phrases")
      try await person.choose("Helaas pindakaas.")
      try await person.sees("Helaas pindakaas.")
      try await person.select(tab: "Words")
      try await person.sees("Words")
      try await person.choose("Log out")
      try await person.sees("Log in")
    }
  }

  @Test("search inside the words, and find one", arguments: Shell.allCases)
  func search(shell: Shell) async throws {
    try await use(["dictionary"], in: shell) { person in
      try await person.sees("Log in")
      try await person.fillIn(Self.credentials, send: "Log in")
      try await person.sees("Words")
      try await person.choose("Search")
      try await person.sees("Search")
      try await person.fillIn([("Find", "fiets")], send: "Search")
      try await Self.eventually(person, reads: "de fietser")
      try await person.choose("de fietser")
      try await person.sees("fietser")
      try await person.goBack()
      try await person.sees("Words")
    }
  }

  @Test("sign up with a name that is taken, then with another", arguments: Shell.allCases)
  func signUp(shell: Shell) async throws {
    try await use(["dictionary"], in: shell) { person in
      try await person.sees("Log in")
      try await person.choose("Sign up")
      try await person.sees("Sign up")
      try await person.fillIn([("Name", "ayaka"), ("Password", "x")], send: "Sign up")
      try await Self.eventually(person, reads: "Somebody has this name already.")
      try await person.fillIn([("Name", "2"), ("Password", "y")], send: "Sign up")
      try await person.sees("Words")
    }
  }

  @Test("read a story, who sent it and what was said", arguments: Shell.allCases)
  func stories(shell: Shell) async throws {
    try await use(["stories"], in: shell) { person in
      try await person.sees("Stories")
      try await Self.eventually(person, reads: "お土産")
      #expect(try await !person.reads("Surprise party"))
      try await person.choose("お土産")
      try await person.sees("お土産")
      #expect(try await person.reads("東京ばな奈 🍌 for everybody."))
      try await person.choose("From")
      try await person.sees("美 (Mei)")
      try await person.goBack()
      try await person.sees("お土産")
      try await person.choose("Messages")
      try await person.sees("Messages: お土産")
      try await person.choose("Ayaka")
      try await person.sees("Message")
      #expect(try await person.reads("ありがとう！"))
    }
  }

  @Test("follow a link to a story among friends: log in first, and once", arguments: Shell.allCases)
  func link(shell: Shell) async throws {
    try await use(["open", "boundaries://stories/12345"], in: shell) { person in
      try await person.sees("Log in")
      try await person.fillIn(Self.credentials, send: "Log in")
      try await person.sees("Surprise party")
      try await Self.eventually(person, reads: "Do not tell Soroush")
      try await person.goBack()
      try await person.sees("Stories")
    }
  }

  /// Waits in a terminal; a web page is there when its response is.
  private static func eventually(_ person: any DemoPerson, reads text: String) async throws {
    if let terminal = person as? TerminalPerson {
      try await terminal.window.wait(text) { $0.lines.joined(separator: "\n").contains(text) }
    } else {
      #expect(try await person.reads(text))
    }
  }
}
