import Coordinators
import CoordinatorsTerminal
import Futures
import Terminal
import Testing

/// Pushes the selected word, and presents help in a modal.
@MainActor
private final class Words: Coordinator {
  let context: CoordinatorContext<Place, Never>

  init(_ context: CoordinatorContext<Place, Never>) { self.context = context }

  func start() { context.push(.screen(.words)) }

  func receive(_ action: Place.Action, from node: Node<Place>) {
    switch action {
    case .select(let word): context.push(.screen(.word(word)))
    case .help: context.present(.screen(.help))
    case .save, .press: break
    }
  }
}

@MainActor
@Suite("An app in a terminal")
struct TerminalAppTests {
  private let app: TerminalApp<Place>

  init() throws {
    let bench = try Bench(.screen(.words))
    app = TerminalApp(start: Words.init, size: TerminalSize(columns: 40, rows: 10)) { screen in
      guard let node = try? Navigation<Place>(.screen(screen)).front else { return Page("") }
      return bench.page(node)
    }
  }

  @Test("a script's keys reach the coordinators, and the result is drawn")
  func scriptDrivesCoordinators() async throws {
    #expect(await app.run(try TerminalScript("down enter")) == nil)
    #expect(app.screen.text.hasPrefix(" ‹ brood\n"))
    #expect(await app.run(try TerminalScript("back")) == nil)
    #expect(app.screen.text.hasPrefix(" Words\n") && app.navigator.navigation?.root.children.count == 1)
    #expect(app.shell.navigation == app.navigator.navigation)
  }

  @Test("a script ends at the key for quitting and presses no later key")
  func scriptEndsAtQuitKey() async throws {
    #expect(await app.run(try TerminalScript("q enter")) == .quit)
    #expect(app.navigator.navigation?.front.screen == .words)
    #expect(await app.run(try TerminalScript("ctrl-c")) == .interrupted)
  }

  @Test("a script presses no key after its task was cancelled")
  func cancelledScriptPressesNoKey() async throws {
    // Simulates a request without an answer.
    app.navigator.work.begin()
    let script = try TerminalScript("down enter")
    let run = Task { await app.run(script) }
    run.cancel()
    #expect(await run.value == nil && app.navigator.navigation?.front.screen == .words)
    app.navigator.work.end()
  }

  @Test("pressing a key twice quickly pushes once")
  func doublePressPushesOnce() throws {
    app.receive(.key(.enter))
    app.receive(.key(.enter))
    #expect(app.navigator.navigation?.root.children.count == 2)
  }

  @Test("each change of the navigation is reported for saving")
  func eachChangeIsReported() async throws {
    var fronts: [Place?] = []
    app.onChange = { fronts.append($0.front.screen) }
    _ = await app.run(try TerminalScript("enter back down"))
    #expect(fronts == [.word("fiets"), .words])
  }

  @Test("an app refuses to run without a terminal")
  func appRequiresTerminal() async throws {
    await #expect(throws: TerminalError.self) {
      _ = try await app.run(on: TerminalDevice(input: -1, output: -1))
    }
  }

  #if os(macOS) || os(Linux)
    @Test("an app without a terminal prints one line to standard error and exits with code 1")
    func appWithoutTerminalExits() async throws {
      let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
        try await TerminalAppTests().app.runOrExit(on: TerminalDevice(input: -1, output: -1))
      }
      let error = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(
        error.contains(
          """
          Error: Cannot open a terminal session: descriptor -1 is not a terminal. Run the command in a terminal, without \
          redirecting its input or output.

          """))
    }
  #endif
}
