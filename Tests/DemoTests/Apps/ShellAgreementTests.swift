import Coordinators
import CoordinatorsTerminal
import CoordinatorsWeb
import Foundation
import Futures
import Loopback
import ParallelTesting
import Terminal
import Testing

@testable import Demo

/// One core under two shells: whoever does the same in both is at the same place in both, after every step.
@MainActor
@Suite("A terminal and a browser")
struct ShellAgreementTests {
  /// What a person does next, whatever is in sight.
  enum Act: Sendable, CustomStringConvertible {
    /// Follows or presses the thing of this number, counted from the top and round again.
    case choose(Int)
    case back
    case tab(Int)

    var description: String {
      switch self {
      case .choose(let number): "choose \(number)"
      case .back: "back"
      case .tab(let number): "tab \(number)"
      }
    }
  }

  private static let act = Generator<Act>.frequency([
    (5, Generator<Int>.int(in: 0...40).map { Act.choose($0) }), (3, .always(.back)),
    (1, Generator<Int>.int(in: 0...1).map { Act.tab($0) }),
  ])

  @Test("lead to the same place by the same acts", arguments: [Home.stories, .dictionary])
  func agree(home: Home) async throws {
    let server = try await HTTPServer.start(ContentServer.router(try Library.bundled()))
    let client = ContentClient(server: server.url, within: .seconds(60))
    let session = Session(name: "ayaka", token: "unknown to the server, so that nobody sees what is among friends")
    try await checkProperty("both shells agree", count: 12, .array(of: Self.act, count: 0...25)) { acts in
      try await Self.walk(acts, home, client, home == .dictionary ? session : nil)
    }
    client.close()
    await server.stop(grace: .zero)
  }

  private static func walk(_ acts: [Act], _ home: Home, _ client: ContentClient, _ session: Session?) async throws
    -> Bool
  {
    let (left, right) = (
      DemoAssembly(home, client: client, session: session), DemoAssembly(home, client: client, session: session)
    )
    let terminal = TerminalApp(contents: left.contents, work: left.services.work)
    let web = WebApp(contents: right.contents, work: right.services.work, token: "token")
    left.start(in: terminal.navigator, at: nil)
    right.start(in: web.navigator, at: nil)
    await left.services.work.settled()
    var page = await visit(WebRequest(.get, "/"), web)
    for act in acts {
      // Forms are for the scenarios: from here they are only left.
      let isForm = page.contains("type=\"password\"") || page.contains("type=\"search\"")
      switch act {
      case .choose(let number):
        let ways = isForm ? [] : page.matches(of: #/"(/screens/\d+/(?:rows|buttons)/[^"]*)"/#).map { String($0.1) }
        guard !ways.isEmpty else { continue }
        let place = number % ways.count
        let keys = Array(repeating: "down", count: place).joined(separator: " ")
        _ = await terminal.run(try TerminalScript("home \(keys) enter"))
        let isButton = ways[place].contains("/buttons/")
        page = await visit(
          WebRequest(isButton ? .post : .get, ways[place], form: isButton ? ["token": "token"] : [:]), web)
      case .back:
        _ = await terminal.run(try TerminalScript("escape"))
        if let way = page.firstMatch(of: #/href="([^"]*)" rel="prev"/#) {
          page = await visit(WebRequest(.get, String(way.1)), web)
        }
      case .tab(let number):
        guard !isForm else { continue }
        _ = await terminal.run(try TerminalScript("\(number + 1)"))
        let ways = page.matches(of: #/"(/screens/\d+/tabs/[^"]*)"/#).map { String($0.1) }
        if ways.indices.contains(number) { page = await visit(WebRequest(.get, ways[number]), web) }
      }
      guard terminal.navigator.navigation?.root.blueprint == web.navigator.navigation?.root.blueprint else {
        return false
      }
    }
    return terminal.navigator.coordinators == web.navigator.coordinators
      && terminal.shell.tree.skeleton == terminal.navigator.navigation?.skeleton
      && web.shell.tree.skeleton == web.navigator.navigation?.skeleton
  }

  /// Asks, and goes where it is sent.
  private static func visit(_ request: WebRequest, _ web: WebApp<DemoScreen>) async -> String {
    var response = await web.respond(to: request)
    while response.status == 303, let address = response.headers["Location"] {
      response = await web.respond(to: WebRequest(.get, address))
    }
    return response.body
  }
}
