internal import Coordinators

/// The logged-in side: two tabs. It ends when somebody logs out.
@MainActor
final class DictionaryCoordinator: Coordinator {
  let presenter: DemoPresenter<Void>

  init(_ presenter: DemoPresenter<Void>) { self.presenter = presenter }

  func start() {
    let words = presenter.content(of: "words") {
      WordsCoordinator($0)
    } then: { [weak self] in
      self?.wordsEnded($0)
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
      } then: { [weak self] in
        self?.wordsEnded($0)
      }
    case "phrases": presenter.adopt(name) { PhrasesCoordinator($0) }
    default: false
    }
  }

  private func wordsEnded(_ result: CoordinatorResult<Void>) {
    if case .finished = result { presenter.finish(()) }
  }
}

/// The words, and the search among them.
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
    case .logOut: presenter.finish(())
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

  private func found(_ result: CoordinatorResult<Word>) {
    if case .finished(let word) = result { presenter.push(.screen(.word(word))) }
  }
}

/// Ends with the word that somebody was looking for.
@MainActor
final class SearchCoordinator: Coordinator {
  let presenter: DemoPresenter<Word>

  init(_ presenter: DemoPresenter<Word>) { self.presenter = presenter }

  func start() { presenter.push(.screen(.search(""))) }

  func receive(_ action: DemoScreen.Action, from node: Node<DemoScreen>) {
    switch action {
    case .search(let text): presenter.apply(.update(node.id, to: .search(text)))
    case .selectWord(let word): presenter.finish(word)
    default: break
    }
  }
}

/// The phrases.
@MainActor
final class PhrasesCoordinator: Coordinator {
  let presenter: DemoPresenter<Never>

  init(_ presenter: DemoPresenter<Never>) { self.presenter = presenter }

  func start() { presenter.push(.screen(.phrases)) }

  func receive(_ action: DemoScreen.Action, from node: Node<DemoScreen>) {
    if case .selectPhrase(let phrase) = action { presenter.push(.screen(.phrase(phrase))) }
  }
}
