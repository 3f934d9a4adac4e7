internal import Coordinators

/// The first coordinator of the dictionary: the log-in, and then two tabs.
@MainActor
final class DictionaryCoordinator: Coordinator {
  let context: DemoContext<Never>
  private let services: Services

  init(_ context: DemoContext<Never>, _ services: Services) {
    self.context = context
    self.services = services
    services.open = { [weak self] in self?.open($0) }
  }

  func start() {
    guard services.session != nil else { return logIn() }
    tabs.map(context.push)
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
  private func open(_ screen: DemoScreen) {
    if services.session != nil { context.apply(.show(screen.target)) } else { services.waitingLink = screen }
  }

  private var tabs: Blueprint<DemoScreen>? {
    let words = context.embedChild("words", make: { TabCoordinator($0, root: .words) }, then: loggedOut)
    let phrases = context.embedChild("phrases", make: { TabCoordinator($0, root: .phrases) }, then: loggedOut)
    guard let words, let phrases else { return nil }
    return .tabs([.tab("words", words), .tab("phrases", phrases)]).owned(by: context.id)
  }

  private func logIn() { context.startChild("log in", .root, make: makeLogIn, then: loggedIn) }

  private func makeLogIn(_ context: DemoContext<Session>) -> LogInCoordinator { LogInCoordinator(context, services) }

  private var loggedIn: (CoordinatorResult<Session>) -> Void {
    { [weak self] result in
      guard let self, case .finished(let session) = result else { return }
      services.session = session
      if let root = context.navigation?.root.id, let tabs { context.apply(.replace(root, with: tabs)) }
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

/// The search for words.
///
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
    var page = list("Words", words).page
    page.elements.append(.button(.init(id: "search", "Search", .send(.open(.search(""))), isSearch: true)))
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
    var found = list("Search", words)
    found.placeholder = "No word contains '\(text)'."
    return DemoPage("Search", [.searchForm(text)] + (text.isEmpty ? [] : found.page.elements))
  }

  static func phrases(_ phrases: [Phrase]) -> DemoPage {
    ListScreen("Phrases", items: phrases) { cell, phrase in
      cell.title = phrase.dutch
      cell.titleLanguage = dutch
    } didSelectItem: { phrase in
      DemoScreen.Action.open(.phrase(phrase.id))
    }.page
  }

  static func phrase(_ phrase: Phrase) -> DemoPage {
    var page = DemoPage(
      phrase.dutch,
      [.fact(label: "Dutch", value: phrase.dutch, language: dutch), .fact(label: "English", value: phrase.english)])
    page.titleLanguage = dutch
    return page
  }

  private static func list(_ title: String, _ words: [Word]) -> ListScreen<Word, DemoScreen.Action> {
    ListScreen(title, items: words) { cell, word in
      cell.title = word.learned
      cell.titleLanguage = dutch
      cell.detail = word.english
    } didSelectItem: { word in
      .open(.word(word.id))
    }
  }
}

extension Page<DemoScreen.Action>.Element {
  static func searchForm(_ text: String) -> Self {
    .form(
      .init(id: "search", submit: "Search", fields: [PageField("text", "Find", kind: .search, value: text)]) {
        .search($0["text"])
      })
  }
}
