import Coordinators
import Futures

/// The talk's app for learning Dutch, by its names: application → (log in | sign up) or dictionary → tabs.
enum DictionaryScreen: NavigationScreen, Codable {
  case logIn, signUp, words, word(String), search, phrases, phrase(String)

  enum Action: Sendable { case select(String), search, logIn(String), signUp, logOut, done }
}

typealias DictionaryPresenter<Output: Sendable> = Presenter<DictionaryScreen, Output>

/// What the word screens show; no coordinator makes up its own.
struct WordsDataSource: Sendable {
  var words = ["fiets", "brood", "gezellig"]
}

@MainActor
final class ApplicationCoordinator: Coordinator {
  let presenter: DictionaryPresenter<Never>
  let member = Census.Member()
  var user: String?

  init(_ presenter: DictionaryPresenter<Never>) { self.presenter = presenter }

  func start() { logIn() }

  private func logIn() {
    presenter.start("log in", .root) {
      LogInCoordinator($0)
    } then: { [weak self] result in
      self?.loggedIn(result)
    }
  }

  private func loggedIn(_ result: CoordinatorResult<String>) {
    guard case .finished(let user) = result else { return }
    self.user = user
    presenter.start("dictionary", .root) {
      DictionaryCoordinator($0)
    } then: { [weak self] result in
      if case .finished = result { self?.logIn() }
    }
  }

  func adopt(_ name: String) -> Bool {
    switch name {
    case "log in":
      presenter.adopt(name) {
        LogInCoordinator($0)
      } then: { [weak self] in
        self?.loggedIn($0)
      }
    case "dictionary":
      presenter.adopt(name) {
        DictionaryCoordinator($0)
      } then: { [weak self] result in
        if case .finished = result { self?.logIn() }
      }
    default: false
    }
  }
}

@MainActor
final class LogInCoordinator: Coordinator {
  let presenter: DictionaryPresenter<String>
  let member = Census.Member()

  init(_ presenter: DictionaryPresenter<String>) { self.presenter = presenter }

  func start() { presenter.push(.screen(.logIn)) }

  func receive(_ action: DictionaryScreen.Action, from node: Node<DictionaryScreen>) {
    switch action {
    case .logIn(let name): presenter.finish(name)
    case .signUp:
      presenter.start("sign up", .modal) {
        SignUpCoordinator($0)
      } then: { [presenter] result in
        if case .finished(let name) = result { presenter.finish(name) }
      }
    default: break
    }
  }

  func adopt(_ name: String) -> Bool {
    presenter.adopt(name) {
      SignUpCoordinator($0)
    } then: { [presenter] result in
      if case .finished(let name) = result { presenter.finish(name) }
    }
  }
}

@MainActor
final class SignUpCoordinator: Coordinator {
  let presenter: DictionaryPresenter<String>
  let member = Census.Member()

  init(_ presenter: DictionaryPresenter<String>) { self.presenter = presenter }

  func start() { presenter.push(.screen(.signUp)) }

  func receive(_ action: DictionaryScreen.Action, from node: Node<DictionaryScreen>) {
    if case .logIn(let name) = action { presenter.finish(name) }
  }
}

@MainActor
final class DictionaryCoordinator: Coordinator {
  let presenter: DictionaryPresenter<Void>
  let member = Census.Member()

  init(_ presenter: DictionaryPresenter<Void>) { self.presenter = presenter }

  func start() {
    let words = presenter.content(of: "words") {
      WordsCoordinator($0)
    } then: { [presenter] result in
      if case .finished = result { presenter.finish(()) }
    }
    let phrases = presenter.content(of: "phrases") { PhrasesCoordinator($0) }
    guard let words, let phrases else { return }
    presenter.push(.tabs([.tab("words", words), .tab("phrases", phrases)]))
  }

  func adopt(_ name: String) -> Bool {
    switch name {
    case "words":
      presenter.adopt(name) {
        WordsCoordinator($0)
      } then: { [presenter] result in
        if case .finished = result { presenter.finish(()) }
      }
    case "phrases": presenter.adopt(name) { PhrasesCoordinator($0) }
    default: false
    }
  }
}

@MainActor
final class WordsCoordinator: Coordinator {
  let presenter: DictionaryPresenter<Void>
  let member = Census.Member()
  let dataSource = WordsDataSource()

  init(_ presenter: DictionaryPresenter<Void>) { self.presenter = presenter }

  func start() { presenter.push(.screen(.words)) }

  func receive(_ action: DictionaryScreen.Action, from node: Node<DictionaryScreen>) {
    switch action {
    case .select(let word): presenter.push(.screen(.word(word)))
    case .search:
      presenter.start("search") {
        SearchCoordinator($0)
      } then: { [presenter] result in
        if case .finished(let word) = result { presenter.push(.screen(.word(word))) }
      }
    case .logOut: presenter.finish(())
    default: break
    }
  }

  func adopt(_ name: String) -> Bool {
    name == "search"
      && presenter.adopt(name) {
        SearchCoordinator($0)
      } then: { [presenter] result in
        if case .finished(let word) = result { presenter.push(.screen(.word(word))) }
      }
  }
}

@MainActor
final class SearchCoordinator: Coordinator {
  let presenter: DictionaryPresenter<String>
  let member = Census.Member()

  init(_ presenter: DictionaryPresenter<String>) { self.presenter = presenter }

  func start() { presenter.push(.screen(.search)) }

  func receive(_ action: DictionaryScreen.Action, from node: Node<DictionaryScreen>) {
    if case .select(let word) = action { presenter.finish(word) }
  }
}

@MainActor
final class PhrasesCoordinator: Coordinator {
  let presenter: DictionaryPresenter<Never>
  let member = Census.Member()

  init(_ presenter: DictionaryPresenter<Never>) { self.presenter = presenter }

  func start() { presenter.push(.screen(.phrases)) }

  func receive(_ action: DictionaryScreen.Action, from node: Node<DictionaryScreen>) {
    if case .select(let phrase) = action { presenter.push(.screen(.phrase(phrase))) }
  }
}
