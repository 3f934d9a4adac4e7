import Coordinators
import CoordinatorsWeb

enum Place: NavigationScreen {
  case words, word(String), settings, hostile(String)

  enum Action: Sendable, Hashable { case select(String), save(name: String, secret: String) }
}

/// Shows a navigation, and records the actions of the user.
@MainActor
final class Recorder<Screen: NavigationScreen>: Coordinator {
  let context: CoordinatorContext<Screen, Never>
  private let first: Node<Screen>
  private(set) var sent: [Screen.Action] = []
  private(set) var opened: [Screen] = []
  /// Replaces the reaction to a link, for example by a log-in.
  var guardLinks: ((Screen) -> Screen?)?
  var react: ((Screen.Action, Node<Screen>) -> Void)?

  init(_ context: CoordinatorContext<Screen, Never>, _ first: Node<Screen>) {
    self.context = context
    self.first = first
  }

  func start() { context.push(first) }

  func receive(_ action: Screen.Action, from node: Node<Screen>) {
    sent.append(action)
    react?(action, node)
  }

  func open(_ screen: Screen) {
    opened.append(screen)
    context.push(guardLinks?(screen) ?? screen)
  }
}

/// An app with a recorder, and a browser for it.
@MainActor
struct Desk<Screen: NavigationScreen> {
  let app: WebApp<Screen>
  let recorder: Recorder<Screen>

  init(
    _ first: Node<Screen>, name: String = "", links: Links<Screen>? = nil, theme: WebTheme = WebTheme(),
    texts: WebTexts = WebTexts(), page: @escaping (Screen) -> Page<Screen.Action>
  ) {
    var made: Recorder<Screen>?
    app = WebApp(
      name: name, token: "secret-token",
      start: { (context: CoordinatorContext<Screen, Never>) -> Recorder<Screen> in
        let recorder = Recorder(context, first)
        made = recorder
        return recorder
      }, links: links, theme: theme, texts: texts, page: page)
    guard let made else { preconditionFailure("the app starts its coordinator") }
    recorder = made
  }

  var navigation: Navigation<Screen> {
    guard let navigation = app.navigator.navigation else { preconditionFailure("the app shows a screen") }
    return navigation
  }

  var front: Node<Screen> { navigation.front }

  func push(_ screen: Screen) { app.navigator.apply(.push(.screen(screen), onto: navigation.root.children[0].id)) }

  func present(_ screen: Screen) {
    app.navigator.apply(.present(.stack([.screen(screen)]), over: navigation.root.id))
  }

  func get(_ target: String) async -> WebResponse { await app.respond(to: WebRequest("GET", target)) }

  /// Sends a form of the visible page, or of the page of another screen.
  func post(_ target: String, _ fields: [String: String] = [:], node: Int? = nil, token: String = "secret-token") async
    -> WebResponse
  {
    let hidden = ["token": token, "node": "\(node ?? front.id.rawValue)"]
    return await app.respond(to: .form(target, hidden.merging(fields) { $1 }))
  }
}

extension WebRequest {
  static func form(_ target: String, _ fields: [String: String], cookie: String = "") -> WebRequest {
    let body = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\(percentEncoded($0.value))" }.joined(separator: "&")
    return WebRequest("POST", target, cookie: cookie, body: Array(body.utf8))
  }
}

func percentEncoded(_ text: String) -> String {
  text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

extension WebResponse {
  var location: String? { headers["Location"] }

  /// The values of an attribute in the body.
  func values(of attribute: String) -> [String] {
    body.parts(by: "\(attribute)=\"").dropFirst().map { part in
      String(part.prefix { $0 != "\"" }).replacing("&amp;", with: "&")
    }
  }
}

extension String {
  func parts(by separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}

extension Desk<Place> {
  init(_ first: Node<Place>, texts: WebTexts = WebTexts()) {
    self.init(first, texts: texts, page: Self.page)
  }

  static func tabs(texts: WebTexts = WebTexts()) -> Desk {
    Desk(
      .tabs([.tab("words", .stack([.screen(.words)])), .tab("settings", .stack([.screen(.settings)]))]), texts: texts)
  }

  /// A desk with one page.
  static func page(_ page: Page<Place.Action>, texts: WebTexts = WebTexts()) -> Desk {
    Desk(.stack([.screen(.words)]), texts: texts) { _ in page }
  }

  static func page(of place: Place) -> Page<Place.Action> {
    switch place {
    case .words: return Page("Words", ["fiets", "a/b", "..", "é&<"].map { .row($0, .select($0)) })
    case .word(let word): return Page(word, [.fact(label: "Dutch", value: word), .text("Text.")])
    case .settings:
      let fields = [PageField("name", "Name", value: "Ayaka"), PageField("token", "Secret", kind: .secret, value: "x")]
      return Page(
        "Settings",
        [.form(.init(id: "f", submit: "Save", fields: fields) { .save(name: $0["name"], secret: $0["token"]) })])
    case .hostile(let text):
      let field = PageField(text, text, value: text, hint: text, error: text)
      return Page(
        text,
        [
          .text(text), .text(text, role: .alert), .fact(label: text, value: text),
          .row(id: text, text, detail: text, .select(text)), .image(PageImage(text, description: text)),
          .table(PageTable(text, columns: [.number(text)], rows: [[text]])),
          .form(.init(id: text, submit: text, fields: [field]) { .select($0[text]) }),
          .button(.init(id: text, text, .send(.select(text)))),
        ])
    }
  }
}
