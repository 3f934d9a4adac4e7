import Coordinators
import CoordinatorsTerminal
import Futures
import Terminal
import Testing

/// Pushes what is selected, and asks for help in a modal.
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

  @Test("runs a script, and shows what coordinators do about its keys")
  func script() async throws {
    #expect(await app.run(try TerminalScript("down enter")) == nil)
    #expect(app.screen.text.hasPrefix(" ‹ brood\n"))
    #expect(await app.run(try TerminalScript("back")) == nil)
    #expect(app.screen.text.hasPrefix(" Words\n") && app.navigator.navigation?.root.children.count == 1)
    #expect(app.shell.navigation == app.navigator.navigation)
  }

  @Test("ends at the key that says so, and presses none after it")
  func ends() async throws {
    #expect(await app.run(try TerminalScript("q enter")) == .quit)
    #expect(app.navigator.navigation?.front.screen == .words)
    #expect(await app.run(try TerminalScript("ctrl-c")) == .interrupted)
  }

  @Test("presses no key once its task is cancelled: it would be pressed on a screen that it is not meant for")
  func cancelled() async throws {
    // As a request does that nobody answers.
    app.navigator.work.begin()
    let script = try TerminalScript("down enter")
    let run = Task { await app.run(script) }
    run.cancel()
    #expect(await run.value == nil && app.navigator.navigation?.front.screen == .words)
    app.navigator.work.end()
  }

  @Test("a key that is pressed twice pushes once")
  func doubleKey() throws {
    app.receive(.key(.enter))
    app.receive(.key(.enter))
    #expect(app.navigator.navigation?.root.children.count == 2)
  }

  @Test("tells whoever saves it of each change")
  func changes() async throws {
    var fronts: [Place?] = []
    app.onChange = { fronts.append($0.front.screen) }
    _ = await app.run(try TerminalScript("enter back down"))
    #expect(fronts == [.word("fiets"), .words])
  }

  @Test("is refused by what is no terminal")
  func noTerminal() async throws {
    await #expect(throws: TerminalError.self) {
      _ = try await app.run(on: TerminalDevice(input: -1, output: -1))
    }
  }
}
