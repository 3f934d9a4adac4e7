import Coordinators
import CoordinatorsTerminal
import Foundation
import Futures
import Loopback
import OrderTaking
import TerminalTesting
import TestSupport
import Terminal
import Testing

@testable import Demo

@Suite("Demo apps with live servers and windows", .timeLimit(.minutes(5)))
struct AppsLiveServerTests {
  @Test("leaving a screen cancels its fetch, and the server sees the cancellation")
  @MainActor
  func leavingCancelsFetch() async throws {
    let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    let (departures, departed) = AsyncStream<Void>.makeStream()
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/stories") { _ in HTTPResponse.json(text: "[]") }
        Route(.get, "/users/:id") { _ async -> HTTPResponse in
          await withTaskCancellationHandler {
            arrived.yield()
            for await _ in AsyncStream<Never>.makeStream().stream {}
            return HTTPResponse(.ok)
          } onCancel: {
            departed.yield()
          }
        }
      })
    let client = ContentClient(server: server.url, within: .seconds(60))
    let assembly = DemoAssembly(.stories, client: client)
    let app = assembly.terminalApp()
    assembly.start(in: app.navigator, at: .user("slow"))
    for await _ in arrivals { break }
    #expect(app.screen.text.hasPrefix(" ‹ User …\n"))
    app.receive(.key(.escape))
    for await _ in departures { break }
    #expect(app.navigator.navigation?.front.screen == .stories)
    await app.navigator.waitUntilIdle()
    #expect(app.screen.text.hasPrefix(" Stories\n") && app.contents.count == 1)
    client.close()
    await server.stop(grace: .zero)
  }

  @Test("a log-in succeeds after rejected log-ins, however fast the responses are")
  @MainActor
  func logInAfterRejections() async throws {
    let server = try await HTTPServer.start(ContentServer.router(try Library.bundled()))
    let client = ContentClient(server: server.url, within: .seconds(60))
    for _ in 0..<40 {
      let assembly = DemoAssembly(.dictionary, client: client)
      let app = assembly.terminalApp()
      assembly.start(in: app.navigator, at: nil)
      for name in [String(repeating: "n", count: 20_000), "n", "ayaka"] {
        let node = try #require(app.navigator.navigation?.front.id)
        app.navigator.send(.logIn(Credentials(name: name, password: "tulp")), from: node)
        await app.navigator.waitUntilIdle()
      }
      #expect(assembly.services.session?.name == "ayaka")
    }
    client.close()
    await server.stop(grace: .zero)
  }

  @Test("a key retries a failed fetch once the server is available")
  @MainActor
  func tryAgain() async throws {
    let isBroken = Switch()
    let server = try await HTTPServer.start(
      ContentServer.router(try Library.bundled()).mapReplies { _, reply in isBroken.isOn ? .disconnected : reply })
    let client = ContentClient(server: server.url, within: .seconds(60))
    let assembly = DemoAssembly(.stories, client: client)
    let app = assembly.terminalApp()
    isBroken.isOn = true
    assembly.start(in: app.navigator, at: nil)
    await app.navigator.waitUntilIdle()
    #expect(app.screen.text.contains("the server closed the connection"))
    isBroken.isOn = false
    _ = await app.run(try TerminalScript("enter"))
    #expect(app.screen.text.contains("Concert tickets"))
    // After another failure the loaded content stays visible.
    isBroken.isOn = true
    _ = await app.run(try TerminalScript("r"))
    #expect(app.screen.text.contains("Not up to date") && app.screen.text.contains("Concert tickets"))
    client.close()
    await server.stop(grace: .zero)
  }

  @Test("submitting a log-in several times sends one request")
  @MainActor
  func repeatedLogIn() async throws {
    let count = Counter()
    let server = try await HTTPServer.start(
      ContentServer.router(try Library.bundled()).mapReplies { request, reply in
        if request.path == "/sessions" { count.add() }
        return reply
      })
    let client = ContentClient(server: server.url, within: .seconds(60))
    let assembly = DemoAssembly(.dictionary, client: client)
    let app = assembly.terminalApp()
    assembly.start(in: app.navigator, at: nil)
    let node = try #require(app.navigator.navigation?.front.id)
    for _ in 0..<3 { app.navigator.send(.logIn(Credentials(name: "ayaka", password: "tulp")), from: node) }
    await app.navigator.waitUntilIdle()
    #expect(app.screen.text.hasPrefix(" Words\n") && count.value == 1)
    client.close()
    await server.stop(grace: .zero)
  }

  @Test("a user who logs in while a link's request is pending is not asked to log in again")
  @MainActor
  func logInDuringLinkRequest() async throws {
    let (questions, asked) = AsyncStream<CheckedContinuation<Void, Never>>.makeStream()
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/stories") { _ in HTTPResponse.json(text: "[]") }
        Route(.post, "/sessions") { _ in HTTPResponse.json(text: #"{"name":"a","token":"t"}"#) }
        Route(.get, "/stories/:id") { request async -> HTTPResponse in
          if request.headers["Authorization"] != nil { return HTTPResponse(.notFound) }
          await withCheckedContinuation { asked.yield($0) }
          return HTTPResponse(401)
        }
      })
    let client = ContentClient(server: server.url, within: .seconds(60))
    let assembly = DemoAssembly(.stories, client: client)
    let app = assembly.terminalApp()
    assembly.start(in: app.navigator, at: .story(7))
    for await question in questions {
      assembly.services.session = Session(name: "a", token: "t")
      question.resume()
      break
    }
    await app.navigator.waitUntilIdle()
    #expect(app.screen.text.contains("Cannot show the story") && assembly.services.waitingLink == nil)
    client.close()
    await server.stop(grace: .zero)
  }

  @Test("a link whose request is pending survives when the user closes another link's log-in")
  @MainActor
  func pendingLinkIsKept() async throws {
    let isFirst = Locked(true)
    let (questions, asked) = AsyncStream<CheckedContinuation<Void, Never>>.makeStream()
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/stories") { _ in HTTPResponse.json(text: "[]") }
        Route(.get, "/stories/7") { _ in HTTPResponse(401) }
        Route(.get, "/stories/8") { _ async -> HTTPResponse in
          // The first request is for the link, the second one for its screen.
          if isFirst.withLock({ $0 }) { await withCheckedContinuation { asked.yield($0) } }
          return HTTPResponse(.notFound)
        }
      })
    let client = ContentClient(server: server.url, within: .seconds(60))
    let assembly = DemoAssembly(.stories, client: client)
    let (services, app) = (assembly.services, assembly.terminalApp())
    let open = assembly.start(in: app.navigator, at: .story(7))
    await app.navigator.waitUntilIdle()
    #expect(services.waitingLink?.route == .story(7) && app.screen.text.contains("Log in"))
    open(.story(8))
    for await question in questions {
      #expect(services.waitingLink?.route == .story(8))
      app.receive(.key(.escape))
      isFirst.withLock { $0 = false }
      #expect(services.waitingLink?.route == .story(8) && !app.screen.text.contains("Password"), "\(app.screen.text)")
      question.resume()
      break
    }
    await app.navigator.waitUntilIdle()
    #expect(services.waitingLink == nil)
    client.close()
    await server.stop(grace: .zero)
  }

  @Test("an app follows the window's size, and restores the terminal after a key or a signal ends it")
  func resizeAndRestoreTerminal() async throws {
    let window = try TerminalProcess.demo(["stories"])
    try await window.expect("the stories") { $0.lines.contains { $0.contains("Concert tickets") } }
    window.resize(columns: 30, rows: 8)
    try await window.expect("a small window") {
      $0.lines.first == " Stories" && $0.lines.contains { $0.contains("Lunch") }
    }
    window.resize(columns: 120, rows: 40)
    try await window.expect("a large window") { $0.lines.contains { $0.contains("Rent") } }
    #expect(
      window.reader.isFullScreen == false,
      "the screen reader is new, and the app does not enter the alternate screen again")
    window.type("q")
    #expect(await window.ending() == 0)

    let killed = try TerminalProcess.demo(["stories"])
    try await killed.expect("the stories") { $0.lines.contains { $0.contains("Concert tickets") } }
    killed.signal(SIGTERM)
    #expect(await killed.ending() == -SIGTERM)
    #expect(!killed.reader.isFullScreen && killed.reader.unknown == [])
  }

  @Test("each browser has its own session, a post without its token fails, and idle visitors do not evict users")
  func webSessions() async throws {
    let demo = try DemoProcess.start(["dictionary", "--web"])
    let line = try #require(await demo.nextLine())
    let url = try #require(line.split(separator: " ").dropFirst().first.flatMap { URL(string: String($0)) })
    let (one, other) = (HTTPUserDriver(url), HTTPUserDriver(url))
    try await one.expectTitle("Log in")
    #expect(try await one.postWithoutToken("Log in") == 403)
    try await one.fillIn([("Name", "ayaka"), ("Password", "tulp")], send: "Log in")
    try await one.expectTitle("Words")
    try await other.expectTitle("Log in")
    for _ in 0..<64 { try await HTTPUserDriver(url).expectTitle("Log in") }
    try await one.choose("de fiets")
    try await one.expectTitle("fiets")
    demo.interrupt()
    #expect(await demo.outcome().status == 130)
  }
}

/// A thread-safe flag.
private final class Switch: @unchecked Sendable {
  // Guarded by `lock`.
  private var value = false
  private let lock = NSLock()

  var isOn: Bool {
    get { lock.withLock { value } }
    set { lock.withLock { value = newValue } }
  }
}

/// A thread-safe counter.
private final class Counter: @unchecked Sendable {
  // Guarded by `lock`.
  private var count = 0
  private let lock = NSLock()

  var value: Int { lock.withLock { count } }

  func add() { lock.withLock { count += 1 } }
}
