internal import Coordinators

/// The first coordinator of the dictionary: the log-in, and then two tabs.
@MainActor
final class DictionaryCoordinator: Coordinator {
  let context: DemoContext<Never>
  private let services: Services

  init(_ context: DemoContext<Never>, _ services: Services) {
    self.context = context
    self.services = services
  }

  func start() {
    guard services.session != nil else { return logIn() }
    context.push(DemoScreen.words.target)
  }

  func restoreChild(_ name: String) -> Bool {
    switch name {
    case "log in": context.restoreChild(name, make: makeLogIn, then: loggedIn)
    case "words": context.restoreChild(name, make: { TabCoordinator($0, root: .words) }, then: loggedOut)
    case "phrases": context.restoreChild(name, make: { TabCoordinator($0, root: .phrases) }, then: loggedOut)
    default: false
    }
  }

  /// Opens the screen of a link, after the log-in if the user is logged out.
  func open(_ screen: DemoScreen) {
    guard screen.home == .dictionary else { return }
    if services.session != nil { context.apply(.show(screen.target)) } else { services.waitingLink = screen }
  }

  private func logIn() { context.startChild("log in", .root, make: makeLogIn, then: loggedIn) }

  private func makeLogIn(_ context: DemoContext<Session>) -> LogInCoordinator { LogInCoordinator(context, services) }

  private var loggedIn: (CoordinatorResult<Session>) -> Void {
    { [weak self] result in
      guard let self, case .finished(let session) = result else { return }
      services.session = session
      if let root = context.navigation?.root.id { context.apply(.replace(root, with: DemoScreen.words.target)) }
      if let link = services.waitingLink { open(link) }
      services.waitingLink = nil
    }
  }

  private var loggedOut: (CoordinatorResult<Void>) -> Void {
    { [weak self] result in
      guard let self, case .finished = result else { return }
      services.logOut(in: context)
      logIn()
    }
  }
}

/// The coordinator of a tab.
///
/// It finishes when the user logs out, or opens the log-in because the server has rejected the session.
@MainActor
final class TabCoordinator: Coordinator {
  let context: DemoContext<Void>
  private let root: DemoScreen

  init(_ context: DemoContext<Void>, root: DemoScreen) {
    self.context = context
    self.root = root
  }

  func start() { context.push(root) }

  func receive(_ action: DemoScreen.Action) {
    switch action {
    case .open(.search): context.startChild("search", make: SearchCoordinator.init, then: found)
    case .open(let screen): context.push(screen)
    case .logOut, .openLogIn: context.finish(())
    default: break
    }
  }

  func restoreChild(_ name: String) -> Bool {
    name == "search" && context.restoreChild(name, make: SearchCoordinator.init, then: found)
  }

  private var found: (CoordinatorResult<DemoScreen?>) -> Void {
    { [weak self] result in
      guard let self, case .finished(let word) = result else { return }
      if let word { context.push(word) } else { context.finish(()) }
    }
  }
}

/// It finishes with the selected word, or with `nil` when the user opens the log-in.
@MainActor
final class SearchCoordinator: Coordinator {
  let context: DemoContext<DemoScreen?>

  init(_ context: DemoContext<DemoScreen?>) { self.context = context }

  func start() { context.push(.search("")) }

  func receive(_ action: DemoScreen.Action, from node: Node<DemoScreen>) {
    switch action {
    case .search(let text): context.apply(.update(node.id, to: .search(text)))
    case .open(let word): context.finish(word)
    case .openLogIn: context.finish(nil)
    default: break
    }
  }
}

/// The language of the words and phrases.
private let dutch = "nl"

extension DemoPage {
  static func words(_ words: [Word]) -> DemoPage {
    var page = list("Words", words, placeholder: "No words.")
    page.elements.append(.button(.init(id: "search", "Search", .send(.open(.search(""))))))
    page.elements.append(.button(.init(id: "log-out", "Log out", .send(.logOut))))
    return page
  }

  static func word(_ word: Word) -> DemoPage {
    var page = DemoPage(
      word.dutch,
      [
        .fact(label: "Dutch", value: word.learned, language: dutch), .fact(label: "English", value: word.english),
        .text(word.example, language: dutch),
      ])
    page.titleLanguage = dutch
    return page
  }

  /// The search form, and the words that were found; no list for an empty text.
  static func search(_ text: String, _ words: [Word]) -> DemoPage {
    let found = list("Search", words, placeholder: "No word contains '\(text)'.")
    return DemoPage("Search", [.searchForm(text)] + (text.isEmpty ? [] : found.elements))
  }

  static func phrases(_ phrases: [Phrase]) -> DemoPage {
    .list("Phrases", phrases) { .init(id: "\($0.id)", $0.dutch, language: dutch, .open(.phrase($0.id))) }
  }

  static func phrase(_ phrase: Phrase) -> DemoPage {
    var page = DemoPage(
      phrase.dutch,
      [.fact(label: "Dutch", value: phrase.dutch, language: dutch), .fact(label: "English", value: phrase.english)])
    page.titleLanguage = dutch
    return page
  }

  private static func list(_ title: String, _ words: [Word], placeholder: String) -> DemoPage {
    .list(title, words, placeholder: placeholder) {
      .init(id: "\($0.id)", $0.learned, detail: $0.english, language: dutch, .open(.word($0.id)))
    }
  }
}

extension Page<DemoScreen.Action>.Element {
  static func searchForm(_ text: String) -> Self {
    .form(
      .init(id: "search", submit: "Search", fields: [PageField("text", "Find", kind: .search, value: text)]) {
        .search($0["text"])
      } edited: {
        .search($0["text"])
      })
  }
}
