import Coordinators
import CoordinatorsTerminal
import CoordinatorsWeb
import Foundation
import Futures
import Loopback
import TestSupport
import Terminal
import Testing

@testable import Demo

/// The same actions lead both shells to the same navigation state.
@MainActor
@Suite("Agreement of the terminal shell and the web shell")
struct ShellAgreementTests {
  /// An action that applies to any screen.
  enum Act: Sendable, CustomStringConvertible {
    /// Activates the row or button with this index from the top, modulo their number.
    case choose(Int)
    /// Activates the last row or button, or one before it, such as log-in, sign-up, search or log-out.
    case last(before: Int = 0)
    case back
    case tab(Int)
    /// Fills in the form's fields from the top and submits it.
    case fillIn([String])

    var description: String {
      switch self {
      case .choose(let number): "choose \(number)"
      case .last(let before): "last but \(before)"
      case .back: "back"
      case .tab(let number): "tab \(number)"
      case .fillIn(let texts): "fill in \(texts)"
      }
    }
  }

  /// Collects the coordinators that have run.
  @MainActor
  private final class Visited {
    var coordinators: Set<String> = []

    /// Their names without their parents.
    var names: Set<String> { Set(coordinators.flatMap { $0.split(separator: "/").map(String.init) }) }
  }

  private static let act = Generator<Act>.frequency([
    (5, Generator<Int>.int(in: 0...40).map { Act.choose($0) }), (3, .always(.back)),
    (1, Generator<Int>.int(in: 0...1).map { Act.tab($0) }),
    (4, Generator<Int>.int(in: 0...1).map { Act.last(before: $0) }),
    (2, Generator<String>.element(of: ["ayaka", "new", "ij", ""]).map { Act.fillIn([$0, "tulp"]) }),
    (1, .always(.fillIn(["ayaka", ""]))),
  ])

  @Test(
    "the terminal and the web shell show the same screen after any sequence of actions",
    arguments: [Home.stories, .dictionary])
  func randomActionsAgree(home: Home) async throws {
    let visited = Visited()
    try await checkProperty("both shells agree", count: 16, .array(of: Self.act, count: 0...25)) { acts in
      try await Self.walk(acts, home, visited)
    }
    // The random actions reach these coordinators.
    let owners = visited.names
    #expect(owners.isSuperset(of: ["log in", "sign up"] + (home == .stories ? ["stories"] : ["words", "phrases"])))
  }

  @Test(
    "the terminal and the web shell show the same screen during a search",
    arguments: [
      // A result ends the search and is shown.
      [.fillIn(["ij"]), .choose(0), .back], [.fillIn(["ij"]), .choose(1), .back, .back],
      // Search twice, without a result, with an empty text, and leave.
      [.fillIn(["ij"]), .fillIn(["kaas"]), .choose(0)], [.fillIn(["xyz"]), .back], [.fillIn([""]), .back, .choose(3)],
      // Search again from the word that was found.
      [.fillIn(["ij"]), .choose(0), .back, .last(before: 1), .fillIn(["fiets"]), .last(), .back, .last()],
    ] as [[Act]])
  func searchActionsAgree(acts: [Act]) async throws {
    let visited = Visited()
    let start: [Act] = [.fillIn(["ayaka", "tulp"]), .last(before: 1)]
    #expect(try await Self.walk(start + acts, .dictionary, visited))
    #expect(visited.names.isSuperset(of: ["words", "search"]))
  }

  /// Each shell has its own server, so that their accounts are separate.
  private static func walk(_ acts: [Act], _ home: Home, _ visited: Visited) async throws -> Bool {
    let servers = [
      try await HTTPServer.start(ContentServer.router(try Library.bundled())),
      try await HTTPServer.start(ContentServer.router(try Library.bundled())),
    ]
    let clients = servers.map { ContentClient(server: $0.url, within: .seconds(60)) }
    let result: Bool
    do { result = try await walk(acts, home, clients, visited) } catch {
      for client in clients { client.close() }
      for server in servers { await server.stop(grace: .zero) }
      throw error
    }
    for client in clients { client.close() }
    for server in servers { await server.stop(grace: .zero) }
    return result
  }

  private static func walk(
    _ acts: [Act], _ home: Home, _ clients: [ContentClient], _ visited: Visited
  ) async throws -> Bool {
    let (left, right) = (DemoAssembly(home, client: clients[0]), DemoAssembly(home, client: clients[1]))
    let terminal = left.terminalApp()
    let web = right.webApp(token: "token")
    left.start(in: terminal.navigator, at: nil)
    right.start(in: web.navigator, at: nil)
    await terminal.navigator.waitUntilIdle()
    var page = await visit(WebRequest(.get, "/"), web)
    for act in acts {
      let fields = page.matches(of: #/name="(field-[^"]*)"/#).map { String($0.1) }
      // Moves the focus to the top. All forms of these apps are at the top of their pages.
      let top = Array(repeating: "up", count: 50).joined(separator: " ")
      switch act {
      case .choose, .last:
        let written = page.matches(of: #/"(/screens/\d+/(?:rows|buttons)/[^"]*)"/#).map { String($0.1) }
        // The web shell writes the buttons below a list above it.
        let ways = written.filter { $0.contains("/rows/") } + written.filter { !$0.contains("/rows/") }
        guard !ways.isEmpty else { continue }
        let place =
          switch act {
          case .choose(let number): number % ways.count
          case .last(let before): max(ways.count - 1 - before, 0)
          default: 0
          }
        let keys = Array(repeating: "down", count: place + (fields.isEmpty ? 0 : fields.count + 1))
        _ = await terminal.run(try TerminalScript("\(top) \(keys.joined(separator: " ")) enter"))
        let isButton = ways[place].contains("/buttons/")
        page = await visit(
          WebRequest(isButton ? .post : .get, ways[place], form: isButton ? ["token": "token"] : [:]), web)
      case .back:
        _ = await terminal.run(try TerminalScript("escape"))
        if let way = page.firstMatch(of: #/href="([^"]*)" rel="prev"/#) {
          page = await visit(WebRequest(.get, String(way.1)), web)
        }
      case .tab(let number):
        // A form field would receive the digit.
        guard fields.isEmpty else { continue }
        _ = await terminal.run(try TerminalScript("\(number + 1)"))
        let ways = page.matches(of: #/"(/screens/\d+/tabs/[^"]*)"/#).map { String($0.1) }
        if ways.indices.contains(number) { page = await visit(WebRequest(.get, ways[number]), web) }
      case .fillIn(let texts):
        guard let form = page.firstMatch(of: #/action="(/screens/\d+/forms/[^"]*)"/#)?.1 else { continue }
        let erasing = "end" + String(repeating: " backspace", count: 20)
        let keys = fields.indices.map { "\(erasing) '\(texts[$0])'" }.joined(separator: " tab ")
        _ = await terminal.run(try TerminalScript("\(top) \(keys) enter"))
        let values = Dictionary(uniqueKeysWithValues: zip(fields, texts)).merging(["token": "token"]) { first, _ in
          first
        }
        page = await visit(WebRequest(.post, String(form), form: values), web)
      }
      terminal.navigator.coordinators.forEach { visited.coordinators.insert($0.path) }
      guard terminal.navigator.navigation?.root.blueprint == web.navigator.navigation?.root.blueprint else {
        return false
      }
    }
    return terminal.navigator.coordinators == web.navigator.coordinators
      && terminal.shell.navigation == terminal.navigator.navigation
      && web.shell.navigation == web.navigator.navigation
  }

  /// Sends a request and follows redirects.
  private static func visit(_ request: WebRequest, _ web: WebApp<DemoScreen>) async -> String {
    var response = await web.respond(to: request)
    while response.status == 303, let address = response.headers["Location"] {
      response = await web.respond(to: WebRequest(.get, address))
    }
    return response.body
  }
}
