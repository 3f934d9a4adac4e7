internal import Coordinators

/// The coordinator of the two tabs after the log-in.
///
/// It finishes when the user logs out, or opens the log-in because the server requires one.
@MainActor
final class DictionaryCoordinator: Coordinator {
  let presenter: DemoPresenter<Void>

  init(_ presenter: DemoPresenter<Void>) { self.presenter = presenter }

  func start() {
    let words = presenter.content(of: "words") {
      WordsCoordinator($0)
    } then: { [weak self] in
      self?.tabEnded($0)
    }
    let phrases = presenter.content(of: "phrases") {
      PhrasesCoordinator($0)
    } then: { [weak self] in
      self?.tabEnded($0)
    }
    guard let words, let phrases else { return }
    presenter.push(.tabs([.tab("words", words), .tab("phrases", phrases)]))
  }

  func adopt(_ name: String) -> Bool {
    switch name {
    case "words":
      presenter.adopt(name) {
        WordsCoordinator($0)
      } then: { [weak self] in
        self?.tabEnded($0)
      }
    case "phrases":
      presenter.adopt(name) {
        PhrasesCoordinator($0)
      } then: { [weak self] in
        self?.tabEnded($0)
      }
    default: false
    }
  }

  private func tabEnded(_ result: CoordinatorResult<Void>) {
    if case .finished = result { presenter.finish(()) }
  }
}

/// The coordinator of the list of words, its search and its log-out.
///
/// It finishes when the user logs out, or opens the log-in because the server requires one.
@MainActor
final class WordsCoordinator: Coordinator {
  let presenter: DemoPresenter<Void>

  init(_ presenter: DemoPresenter<Void>) { self.presenter = presenter }

  func start() { presenter.push(.screen(.words)) }

  func receive(_ action: DemoScreen.Action, from node: Node<DemoScreen>) {
    switch action {
    case .selectWord(let word): presenter.push(.screen(.word(word)))
    case .openSearch:
      presenter.start("search") {
        SearchCoordinator($0)
      } then: { [weak self] in
        self?.found($0)
      }
    // A required log-in means that the server rejected the session: log out first.
    case .logOut, .openLogIn: presenter.finish(())
    default: break
    }
  }

  func adopt(_ name: String) -> Bool {
    name == "search"
      && presenter.adopt(name) {
        SearchCoordinator($0)
      } then: { [weak self] in
        self?.found($0)
      }
  }

  private func found(_ result: CoordinatorResult<Word?>) {
    guard case .finished(let word) = result else { return }
    if let word { presenter.push(.screen(.word(word))) } else { presenter.finish(()) }
  }
}

/// The coordinator of the search for words.
///
/// It finishes with the selected word, or with `nil` when the user opens the log-in because the server requires one.
@MainActor
final class SearchCoordinator: Coordinator {
  let presenter: DemoPresenter<Word?>

  init(_ presenter: DemoPresenter<Word?>) { self.presenter = presenter }

  func start() { presenter.push(.screen(.search(""))) }

  func receive(_ action: DemoScreen.Action, from node: Node<DemoScreen>) {
    switch action {
    case .search(let text): presenter.apply(.update(node.id, to: .search(text)))
    case .selectWord(let word): presenter.finish(word)
    case .openLogIn: presenter.finish(nil)
    default: break
    }
  }
}

/// The coordinator of the list of phrases.
///
/// It finishes when the user opens the log-in because the server requires one.
@MainActor
final class PhrasesCoordinator: Coordinator {
  let presenter: DemoPresenter<Void>

  init(_ presenter: DemoPresenter<Void>) { self.presenter = presenter }

  func start() { presenter.push(.screen(.phrases)) }

  func receive(_ action: DemoScreen.Action, from node: Node<DemoScreen>) {
    switch action {
    case .selectPhrase(let phrase): presenter.push(.screen(.phrase(phrase)))
    case .openLogIn: presenter.finish(())
    default: break
    }
  }
}
