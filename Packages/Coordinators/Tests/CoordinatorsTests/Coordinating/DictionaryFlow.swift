import Coordinators
import Futures

/// The talk's app for learning Dutch, by its names: application → (log in | sign up) or dictionary → tabs.
enum DictionaryScreen: NavigationScreen, Codable {
  case logIn, signUp, words, word(String), search, phrases, phrase(String)

  enum Action: Sendable { case select(String), search, logIn(String), signUp, logOut, done }
}

typealias DictionaryPresenter<Output: Sendable> = CoordinatorContext<DictionaryScreen, Output>

/// The content of the word screens, shared by all coordinators.
struct WordsDataSource: Sendable {
  var words = ["fiets", "brood", "gezellig"]
}

@MainActor
final class ApplicationCoordinator: Coordinator {
  let context: DictionaryPresenter<Never>
  let member = Census.Member()
  var user: String?

  init(_ context: DictionaryPresenter<Never>) { self.context = context }

  func start() { logIn() }

  private func logIn() {
    context.startChild("log in", .root) {
      LogInCoordinator($0)
    } then: { [weak self] result in
      self?.loggedIn(result)
    }
  }

  private func loggedIn(_ result: CoordinatorResult<String>) {
    guard case .finished(let user) = result else { return }
    self.user = user
    context.startChild("dictionary", .root) {
      DictionaryCoordinator($0)
    } then: { [weak self] result in
      if case .finished = result { self?.logIn() }
    }
  }

  func restoreChild(_ name: String) -> Bool {
    switch name {
    case "log in":
      context.restoreChild(name) {
        LogInCoordinator($0)
      } then: { [weak self] in
        self?.loggedIn($0)
      }
    case "dictionary":
      context.restoreChild(name) {
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
  let context: DictionaryPresenter<String>
  let member = Census.Member()

  init(_ context: DictionaryPresenter<String>) { self.context = context }

  func start() { context.push(.screen(.logIn)) }

  func receive(_ action: DictionaryScreen.Action, from node: Node<DictionaryScreen>) {
    switch action {
    case .logIn(let name): context.finish(name)
    case .signUp:
      context.startChild("sign up", .modal) {
        SignUpCoordinator($0)
      } then: { [context] result in
        if case .finished(let name) = result { context.finish(name) }
      }
    default: break
    }
  }

  func restoreChild(_ name: String) -> Bool {
    context.restoreChild(name) {
      SignUpCoordinator($0)
    } then: { [context] result in
      if case .finished(let name) = result { context.finish(name) }
    }
  }
}

@MainActor
final class SignUpCoordinator: Coordinator {
  let context: DictionaryPresenter<String>
  let member = Census.Member()

  init(_ context: DictionaryPresenter<String>) { self.context = context }

  func start() { context.push(.screen(.signUp)) }

  func receive(_ action: DictionaryScreen.Action, from node: Node<DictionaryScreen>) {
    if case .logIn(let name) = action { context.finish(name) }
  }
}

@MainActor
final class DictionaryCoordinator: Coordinator {
  let context: DictionaryPresenter<Void>
  let member = Census.Member()

  init(_ context: DictionaryPresenter<Void>) { self.context = context }

  func start() {
    let words = Node.stack([.screen(DictionaryScreen.words)]).owned(by: context.id.child("words"))
    let phrases = Node.stack([.screen(DictionaryScreen.phrases)]).owned(by: context.id.child("phrases"))
    context.push(.tabs([.tab("words", words), .tab("phrases", phrases)]))
  }

  func restoreChild(_ name: String) -> Bool {
    switch name {
    case "words":
      context.restoreChild(name) {
        WordsCoordinator($0)
      } then: { [context] result in
        if case .finished = result { context.finish(()) }
      }
    case "phrases": context.restoreChild(name) { PhrasesCoordinator($0) }
    default: false
    }
  }
}

@MainActor
final class WordsCoordinator: Coordinator {
  let context: DictionaryPresenter<Void>
  let member = Census.Member()
  let dataSource = WordsDataSource()

  init(_ context: DictionaryPresenter<Void>) { self.context = context }

  func start() { context.push(.screen(.words)) }

  func receive(_ action: DictionaryScreen.Action, from node: Node<DictionaryScreen>) {
    switch action {
    case .select(let word): context.push(.screen(.word(word)))
    case .search:
      context.startChild("search") {
        SearchCoordinator($0)
      } then: { [context] result in
        if case .finished(let word) = result { context.push(.screen(.word(word))) }
      }
    case .logOut: context.finish(())
    default: break
    }
  }

  func restoreChild(_ name: String) -> Bool {
    name == "search"
      && context.restoreChild(name) {
        SearchCoordinator($0)
      } then: { [context] result in
        if case .finished(let word) = result { context.push(.screen(.word(word))) }
      }
  }
}

@MainActor
final class SearchCoordinator: Coordinator {
  let context: DictionaryPresenter<String>
  let member = Census.Member()

  init(_ context: DictionaryPresenter<String>) { self.context = context }

  func start() { context.push(.screen(.search)) }

  func receive(_ action: DictionaryScreen.Action, from node: Node<DictionaryScreen>) {
    if case .select(let word) = action { context.finish(word) }
  }
}

@MainActor
final class PhrasesCoordinator: Coordinator {
  let context: DictionaryPresenter<Never>
  let member = Census.Member()

  init(_ context: DictionaryPresenter<Never>) { self.context = context }

  func start() { context.push(.screen(.phrases)) }

  func receive(_ action: DictionaryScreen.Action, from node: Node<DictionaryScreen>) {
    if case .select(let phrase) = action { context.push(.screen(.phrase(phrase))) }
  }
}
