import Coordinators
import Terminal
import Testing

@testable import CoordinatorsTerminal

private enum Draft: NavigationScreen {
  case draft(name: String, secret: String = "")

  enum Action: Sendable { case typed(String, String), send(String, String) }
}

@MainActor
private final class DraftCoordinator: Coordinator {
  let context: CoordinatorContext<Draft, Never>
  var sent: [[String]] = []

  init(_ context: CoordinatorContext<Draft, Never>) { self.context = context }

  func start() { context.push(.screen(.draft(name: ""))) }

  func receive(_ action: Draft.Action, from node: Node<Draft>) {
    switch action {
    case .typed(let name, let secret): context.apply(.update(node.id, to: .draft(name: name, secret: secret)))
    case .send(let name, let secret): sent.append([name, secret])
    }
  }
}

@MainActor
@Suite("Form input in a terminal")
struct FormInputTests {
  private let app: TerminalApp<Draft>
  private let coordinator: DraftCoordinator

  init() throws {
    app = TerminalApp(size: TerminalSize(columns: 40, rows: 10)) { screen in
      guard case .draft(let name, _) = screen else { return Page("") }
      let fields = [PageField("name", "Name", value: name), PageField("secret", "Secret", kind: .secret)]
      return Page(
        "Draft",
        [
          .form(
            Page.Form(id: "f", submit: "Send", fields: fields) {
              .send($0["name"], $0["secret"])
            } edited: {
              .typed($0["name"], $0["secret"])
            })
        ])
    }
    var made: DraftCoordinator?
    app.navigator.start("draft") { (context: CoordinatorContext<Draft, Never>) in
      let coordinator = DraftCoordinator(context)
      made = coordinator
      return coordinator
    }
    coordinator = try #require(made)
  }

  private var name: String? {
    if case .draft(let name, _)? = app.navigator.navigation?.front.screen { name } else { nil }
  }

  @Test("each edit of a field reaches the screen; of a secret field only the length")
  func eachEditReachesScreen() async throws {
    _ = await app.run(try TerminalScript("'ayaka' left backspace"))
    #expect(name == "ayaa" && app.screen.cursor?.column == 12, "the caret stays where the user edits")
    app.receive(.paste("k"))
    #expect(name == "ayaka")
    _ = await app.run(try TerminalScript("tab 'tulp'"))
    #expect(app.navigator.navigation?.front.screen == .draft(name: "ayaka", secret: "••••"))
    _ = await app.run(try TerminalScript("enter"))
    #expect(coordinator.sent == [["ayaka", "tulp"]])
  }

  @Test("a value that the app sets replaces the typed text")
  func newValueReplacesTypedText() async throws {
    _ = await app.run(try TerminalScript("'ayaka'"))
    let front = try #require(app.navigator.navigation?.front.id)
    app.navigator.apply(.update(front, to: .draft(name: "joost")))
    #expect(app.screen.text.contains("joost") && !app.screen.text.contains("ayaka"))
    _ = await app.run(try TerminalScript("'!' enter tab enter"))
    #expect(name == "joost!")
  }

  @Test("keys that do not change the text report no change")
  func keysWithoutChangeReportNothing() async throws {
    var changes = 0
    app.onChange = { _ in changes += 1 }
    _ = await app.run(try TerminalScript("home end left right backspace"))
    #expect(changes == 0)
  }
}
