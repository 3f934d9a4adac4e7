import Coordinators
import CoordinatorsTerminal
import Futures
import Terminal
import Testing

/// The screens of a small app: a tab with words, a tab with a form, and a modal over both.
enum Place: NavigationScreen {
  case words, word(String), settings, help, long, remote(Int)

  enum Action: Sendable, Hashable { case select(String), help, save(name: String, secret: String), press }
}

/// A terminal shell without coordinators; the test supplies its pages, intents and keys, and reads the drawn text.
struct Bench {
  private(set) var navigation: Navigation<Place>
  var shell: TerminalShell<Place>
  var pages: [String: Page<Place.Action>] = [:]
  private(set) var sent: [Place.Action] = []
  private(set) var reactions: [TerminalShell<Place>.Reaction] = []

  init(_ blueprint: Blueprint<Place>, columns: Int = 40, rows: Int = 12, texts: TerminalTexts = TerminalTexts()) throws
  {
    navigation = try Navigation(blueprint)
    shell = TerminalShell(size: TerminalSize(columns: columns, rows: rows), texts: texts)
    shell.show(navigation)
  }

  static func tabs(columns: Int = 40, texts: TerminalTexts = TerminalTexts()) throws -> Bench {
    try Bench(
      .tabs([.tab("words", .stack([.screen(.words)])), .tab("settings", .stack([.screen(.settings)]))]),
      columns: columns, texts: texts)
  }

  func page(_ node: Node<Place>) -> Page<Place.Action> {
    if let screen = node.screen, let page = pages["\(screen)"] { return page }
    switch node.screen {
    case .words:
      return ListScreen("Words", items: ["fiets", "brood", "お茶"].map(Named.init)) { cell, item in
        cell.title = item.id
        cell.detail = "\(item.id.count) letters"
      } didSelectItem: { item in
        .select(item.id)
      }.page
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
    case .remote, nil: return Page("")
    }
  }

  mutating func apply(_ intent: Intent<Place>) throws {
    try navigation.apply(intent)
    shell.show(navigation)
  }

  mutating func press(_ script: String) throws {
    for key in try TerminalScript(script).keys {
      let pages = self
      let reaction = shell.receive(.key(key)) { pages.page($0) }
      reactions.append(reaction)
      switch reaction {
      case .navigate(let intent): try apply(intent)
      case .triggered(.send(let action), _): sent.append(action)
      default: break
      }
    }
  }

  var screen: Terminal.Screen { shell.screen { page($0) } }
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

struct Named: Identifiable, Sendable { var id: String }
