import Coordinators
import CoordinatorsTerminal
import Futures
import Terminal
import Testing

/// Pushes what is selected, and asks for help in a modal.
@MainActor
private final class Words: Coordinator {
  let presenter: Presenter<Place, Never>

  init(_ presenter: Presenter<Place, Never>) { self.presenter = presenter }

  func start() { presenter.push(.screen(.words)) }

  func receive(_ action: Place.Action, from node: Node<Place>) {
    switch action {
    case .select(let word): presenter.push(.screen(.word(word)))
    case .help: presenter.present(.screen(.help))
    case .save, .press: break
    }
  }
}

@MainActor
@Suite("An app in a terminal")
struct TerminalAppTests {
  private let work = PendingWork()
  private let app: TerminalApp<Place>

  init() throws {
    let bench = try Bench(.screen(.words))
    let contents = ScreenContents<Place>(work: work) { screen in
      guard let node = try? Navigation<Place>(.screen(screen)).front else { return .page(Page("")) }
      return .page(bench.page(node))
    }
    app = TerminalApp(contents: contents, work: work, size: TerminalSize(columns: 40, rows: 10))
    app.navigator.start("application") { Words($0) }
  }

  @Test("runs a script, and shows what coordinators do about its keys")
  func script() async throws {
    #expect(await app.run(try TerminalScript("down enter")) == nil)
    #expect(app.screen.text.hasPrefix(" ‹ brood\n"))
    #expect(await app.run(try TerminalScript("back")) == nil)
    #expect(app.screen.text.hasPrefix(" Words\n") && app.navigator.navigation?.root.children.count == 1)
    #expect(app.shell.tree.skeleton == app.navigator.navigation?.skeleton)
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
    work.begin()
    let script = try TerminalScript("down enter")
    let run = Task { await app.run(script) }
    run.cancel()
    #expect(await run.value == nil && app.navigator.navigation?.front.screen == .words)
    work.end()
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
