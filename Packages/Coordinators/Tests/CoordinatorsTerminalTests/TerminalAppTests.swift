import Coordinators
import Futures
import Terminal
import Testing

@testable import CoordinatorsTerminal

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
private struct Provider: RemoteContentProviding {
  let fetch: @MainActor () -> Future<String, any Error>

  nonisolated func fetchContent() -> Future<String, any Error> { MainActor.assumeIsolated { fetch() } }

  nonisolated func presentation(for content: Result<String, any Error>) -> Page<Place.Action> {
    // More lines than the box of a modal covers.
    Page("Words", Array(repeating: .text((try? content.get()) ?? "failed"), count: 8))
  }
}

@MainActor
@Suite("An app in a terminal")
struct TerminalAppTests {
  private let app: TerminalApp<Place>

  init() {
    app = TerminalApp(start: Words.init, size: TerminalSize(columns: 40, rows: 10), page: Bench.page)
  }

  @Test("a script's keys reach the coordinators, and the result is drawn")
  func scriptDrivesCoordinators() async throws {
    #expect(await app.run(try TerminalScript("down enter")) == nil)
    #expect(app.screen.text.hasPrefix(" ‹ brood\n"))
    #expect(await app.run(try TerminalScript("back")) == nil)
    #expect(app.screen.text.hasPrefix(" Words\n") && app.navigator.navigation?.root.children.count == 1)
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

  @Test("each change of the navigation is reported for saving")
  func eachChangeIsReported() async throws {
    var fronts: [Place?] = []
    app.onChange = { fronts.append($0.front.screen) }
    _ = await app.run(try TerminalScript("enter back down"))
    #expect(fronts == [.word("fiets"), .words])
  }

  @Test("an app without a screen says what is missing, and its keys work")
  func appWithoutScreenSaysWhatIsMissing() {
    let app = TerminalApp<Place>(size: TerminalSize(columns: 60, rows: 10), page: Bench.page)
    #expect(app.screen.text.contains("No screen to show: no coordinator has pushed one."))
    #expect(app.screen.text.hasSuffix(" ↑↓ move  ? help  q quit"))
    app.receive(.key(.character("q")))
    #expect(app.ended == .quit)
  }

  @Test("the page behind a modal is drawn again when its content arrives")
  func pageBehindModalIsDrawnAgain() throws {
    var fetches: [Promise<String, any Error>] = []
    let app = TerminalApp(start: Words.init, size: TerminalSize(columns: 60, rows: 20)) { screen in
      if screen == .help { return Page("Help") }
      let provider = Provider {
        fetches.append(Promise())
        return fetches[fetches.count - 1].future
      }
      return .remote(provider, title: "Words")
    }
    var shown = ""
    app.output = .init(color: .none, write: { shown += $0 }, suspend: {})
    let root = try #require(app.navigator.navigation?.root.id)
    app.navigator.apply(.present(.screen(.help), over: root))
    #expect(!shown.contains("gezellig"))
    fetches.last?.success("gezellig")
    #expect(shown.contains("gezellig"))
  }

  @Test("reports wait for the end of an app on a terminal, where they would destroy the screen")
  func reportsWaitForTheEnd() async {
    var reports: [CoordinatorReport] = []
    let app = TerminalApp(start: Words.init, report: { reports.append($0) }, page: Bench.page)
    app.output = .init(color: .none, write: { _ in }, suspend: {})
    app.navigator.send(.help, from: NodeID(rawValue: 7))
    #expect(reports.isEmpty)
    _ = try? await app.run(on: TerminalDevice(input: -1, output: -1))
    #expect(reports == [.lateAction(NodeID(rawValue: 7))])
  }

  @Test("the title of a modal has no back arrow, unless a screen below it is in the modal")
  func titleOfModalHasNoBackArrow() throws {
    let root = try #require(app.navigator.navigation?.root.id)
    app.navigator.apply(.present(.stack([.screen(.help)]), over: root))
    #expect(app.screen.text.hasPrefix(" × Help\n"))
    let stack = try #require(app.navigator.navigation?.root.modal?.id)
    app.navigator.apply(.push(.screen(.word("fiets")), onto: stack))
    #expect(app.screen.text.hasPrefix(" ‹ fiets\n"))
  }

  #if os(macOS) || os(Linux)
    @Test("an app without a terminal prints one line to standard error and exits with code 1")
    func appWithoutTerminalExits() async throws {
      let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
        await TerminalAppTests().app.runOrExit(on: TerminalDevice(input: -1, output: -1))
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
