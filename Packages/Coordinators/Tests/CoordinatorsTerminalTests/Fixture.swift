import Coordinators
import Futures
import Terminal
import Testing

@testable import CoordinatorsTerminal

/// The screens of a small app: a tab with words, a tab with a form, and a modal over both.
enum Place: NavigationScreen {
  case words, word(String), settings, help, long

  enum Action: Sendable, Hashable { case select(String), help, save(name: String, secret: String), press }
}

@MainActor
final class Stage: Coordinator {
  let context: CoordinatorContext<Place, Never>
  private let first: Node<Place>
  private(set) var sent: [Place.Action] = []

  init(_ context: CoordinatorContext<Place, Never>, _ first: Node<Place>) {
    (self.context, self.first) = (context, first)
  }

  func start() { context.push(first) }

  func receive(_ action: Place.Action, from node: Node<Place>) { sent.append(action) }
}

/// An app with a coordinator that records actions; the test supplies its pages, intents and keys, and reads the drawn text.
@MainActor
final class Bench {
  let app: TerminalApp<Place>
  private let start: Navigation<Place>
  private let stage: Stage
  private let book = Book()

  @MainActor
  private final class Book { var pages: [String: Page<Place.Action>] = [:] }

  init(_ first: Node<Place>, columns: Int = 40, rows: Int = 12, texts: TerminalTexts = TerminalTexts()) throws {
    start = try Navigation(first)
    var stage: Stage?
    app = TerminalApp(size: TerminalSize(columns: columns, rows: rows), texts: texts) { [book] in
      book.pages["\($0)"] ?? Self.page($0)
    }
    app.navigator.start("application") { (context: CoordinatorContext<Place, Never>) in
      let made = Stage(context, first)
      stage = made
      return made
    }
    self.stage = try #require(stage)
  }

  static func tabs(columns: Int = 40, texts: TerminalTexts = TerminalTexts()) throws -> Bench {
    try Bench(
      .tabs([.tab("words", .stack([.screen(.words)])), .tab("settings", .stack([.screen(.settings)]))]),
      columns: columns, texts: texts)
  }

  var pages: [String: Page<Place.Action>] {
    get { book.pages }
    set { book.pages = newValue }
  }

  static func page(_ screen: Place) -> Page<Place.Action> {
    switch screen {
    case .words:
      return .list("Words", ["fiets", "brood", "お茶"]) { .init($0, detail: "\($0.count) letters", .select($0)) }
    case .word(let word): return Page(word, [.fact(label: "Dutch", value: word), .text("A word.")])
    case .settings:
      let fields = [PageField("name", "Name", value: "Ayaka"), PageField("secret", "Secret", kind: .secret)]
      return Page(
        "Settings",
        [
          .form(.init(id: "form", submit: "Save", fields: fields) { .save(name: $0["name"], secret: $0["secret"]) }),
          .button(.init(id: "help", "Help", .send(.help))),
        ])
    case .help: return Page("Help", [.text("Nobody knows."), .button(.init(id: "again", "Again", .refresh))])
    case .long: return Page("Long", (1...30).map { .text("Paragraph \($0)") })
    }
  }

  var navigation: Navigation<Place> { app.navigator.navigation ?? start }
  var sent: [Place.Action] { stage.sent }

  func apply(_ intent: Intent<Place>) { app.navigator.apply(intent) }

  func press(_ script: String) throws { for key in try TerminalScript(script).keys { app.receive(.key(key)) } }

  var screen: Terminal.Screen { app.screen }
  var lines: [String] { screen.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
  var highlighted: String {
    let screen = screen
    let text = (1..<screen.rows).map { row in
      String(
        (0..<screen.columns).compactMap { column in
          let cell = screen[Position(column: column, row: row)]
          return cell?.style.attributes.contains(.inverse) == true ? cell?.character : nil
        })
    }.joined()
    return String(text.reversed().drop { $0 == " " }.reversed())
  }
}
