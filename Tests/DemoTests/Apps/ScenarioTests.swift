import Foundation
import Testing

@testable import Demo

/// The same scenarios through the real program on a pseudo-terminal and its web shell in the real browser, with the same
/// outcome: after every step both show the same words under the same title, with the same tabs and a way back or none.
@Suite("The talk's apps, in a terminal and in a browser", .timeLimit(.minutes(5)))
struct ScenarioTests {
  /// Plays a scenario in the browser, then in a terminal, which has to show the same after each step.
  private func play(
    _ arguments: [String], _ scenario: @escaping @Sendable (any DemoPerson) async throws -> Void
  ) async throws {
    let sights = try await WebShellProcess.use(arguments) { url in
      let person = Onlooker(try await BrowserPerson(at: url)) { browser, _ in try await browser.sight() }
      try await scenario(person)
      return person.sights
    }
    #expect(!sights.isEmpty)
    let window = try DemoTerminalProcess(arguments, columns: 120, rows: 60)
    let person = Onlooker(TerminalPerson(window)) { terminal, number in
      try await terminal.sees(sights[number])
      return sights[number]
    }
    try await scenario(person)
    #expect(person.sights == sights)
    window.type("\u{3}")
    #expect(await window.ending() == 130)
    #expect(!window.screen.isFullScreen && window.screen.unknown == [])
  }

  private static let credentials = [(label: "Name", text: "ayaka"), (label: "Password", text: "tulp")]

  @Test("log in, look at a word, go back, change the tab, log out")
  func dictionary() async throws {
    try await play(["dictionary"]) { person in
      try await person.sees("Log in")
      try await person.fillIn([("Name", "ayaka"), ("Password", "wrong")], send: "Log in")
      try await person.sees("Log in")
      #expect(try await person.reads("Wrong name or password."))
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

  @Test("search inside the words, and find one")
  func search() async throws {
    try await play(["dictionary"]) { person in
      try await person.sees("Log in")
      try await person.fillIn(Self.credentials, send: "Log in")
      try await person.sees("Words")
      try await person.choose("Search")
      try await person.sees("Search")
      try await person.fillIn([("Find", "fiets")], send: "Search")
      try await person.sees("Search")
      #expect(try await person.reads("de fietser"))
      try await person.choose("de fietser")
      try await person.sees("fietser")
      try await person.goBack()
      try await person.sees("Words")
    }
  }

  @Test("sign up with a name that is taken, then with another")
  func signUp() async throws {
    try await play(["dictionary"]) { person in
      try await person.sees("Log in")
      try await person.choose("Sign up")
      try await person.sees("Sign up")
      try await person.fillIn([("Name", "ayaka"), ("Password", "x")], send: "Sign up")
      try await person.sees("Sign up")
      #expect(try await person.reads("This name is already taken."))
      try await person.fillIn([("Name", "2"), ("Password", "y")], send: "Sign up")
      try await person.sees("Words")
    }
  }

  @Test("read a story, who sent it and what was said")
  func stories() async throws {
    try await play(["stories"]) { person in
      try await person.sees("Stories")
      #expect(try await person.reads("お土産"))
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

  @Test("follow a link to a story among friends: log in first, and once")
  func link() async throws {
    try await play(["open", "boundaries://stories/12345"]) { person in
      try await person.sees("Log in")
      try await person.fillIn(Self.credentials, send: "Log in")
      try await person.sees("Surprise party")
      #expect(try await person.reads("Do not tell Soroush"))
      try await person.goBack()
      try await person.sees("Stories")
    }
  }

  @Test("the browser's own buttons: back past a screen that is gone, forward to one that is, and to another tab")
  func history() async throws {
    try await WebShellProcess.use(["dictionary"]) { url in
      let person = try await BrowserPerson(at: url)
      try await person.fillIn(Self.credentials, send: "Log in")
      try await person.choose("de fiets")
      try await person.sees("fiets")
      try await person.goBack()
      try await person.sees("Words")
      // That screen is gone since it was gone back from; what is in sight is shown.
      try await person.goForward()
      try await person.sees("Words")
      try await person.choose("Search")
      try await person.fillIn([("Find", "kaas")], send: "Search")
      try await person.choose("de kaas")
      try await person.sees("kaas")
      #expect(try await person.sight().hasWayBack)
      // The search ended with what it found, so there is nothing of it to go back to.
      try await person.goBack()
      try await person.sees("Words")
      try await person.select(tab: "Phrases")
      try await person.sees("Phrases")
      try await person.goBack()
      try await person.sees("Words")
      // What is behind the log-in is closed to whoever has logged out, however far they go back.
      try await person.choose("Log out")
      try await person.sees("Log in")
      for _ in 0..<3 {
        try await person.goBack()
        try await person.sees("Log in")
      }
      #expect(try await person.language() == "en")
    }
  }
}

/// Somebody who uses an app, with somebody beside who looks at it after every step.
private final class Onlooker<Person: DemoPerson>: DemoPerson {
  private let person: Person
  private let look: (Person, Int) async throws -> Sight
  private(set) var sights: [Sight] = []

  init(_ person: Person, look: @escaping (Person, Int) async throws -> Sight) {
    self.person = person
    self.look = look
  }

  func choose(_ title: String) async throws { try await person.choose(title) }
  func goBack() async throws { try await person.goBack() }
  func select(tab: String) async throws { try await person.select(tab: tab) }
  func reads(_ text: String) async throws -> Bool { try await person.reads(text) }

  func fillIn(_ values: [(label: String, text: String)], send: String) async throws {
    try await person.fillIn(values, send: send)
  }

  func sees(_ title: String) async throws {
    try await person.sees(title)
    sights.append(try await look(person, sights.count))
  }
}
