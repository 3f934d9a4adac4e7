internal import Coordinators

/// The coordinator of the two tabs after the log-in.
///
/// It finishes when the user logs out, or opens the log-in because the server requires one.
@MainActor
final class DictionaryCoordinator: Coordinator {
  let context: DemoContext<Void>

  init(_ context: DemoContext<Void>) { self.context = context }

  func start() {
    let words = context.embedChild("words") {
      WordsCoordinator($0)
    } then: { [weak self] in
      self?.tabEnded($0)
    }
    let phrases = context.embedChild("phrases") {
      PhrasesCoordinator($0)
    } then: { [weak self] in
      self?.tabEnded($0)
    }
    guard let words, let phrases else { return }
    context.push(.tabs([.tab("words", words), .tab("phrases", phrases)]))
  }

  func restoreChild(_ name: String) -> Bool {
    switch name {
    case "words":
      context.restoreChild(name) {
        WordsCoordinator($0)
      } then: { [weak self] in
        self?.tabEnded($0)
      }
    case "phrases":
      context.restoreChild(name) {
        PhrasesCoordinator($0)
      } then: { [weak self] in
        self?.tabEnded($0)
      }
    default: false
    }
  }

  private func tabEnded(_ result: CoordinatorResult<Void>) {
    if case .finished = result { context.finish(()) }
  }
}

/// The coordinator of the list of words, its search and its log-out.
///
/// It finishes when the user logs out, or opens the log-in because the server requires one.
@MainActor
final class WordsCoordinator: Coordinator {
  let context: DemoContext<Void>

  init(_ context: DemoContext<Void>) { self.context = context }

  func start() { context.push(.screen(.words)) }

  func receive(_ action: DemoScreen.Action, from node: Node<DemoScreen>) {
    switch action {
    case .selectWord(let word): context.push(.screen(.word(word)))
    case .openSearch:
      context.startChild("search") {
        SearchCoordinator($0)
      } then: { [weak self] in
        self?.found($0)
      }
    // A required log-in means that the server rejected the session: log out first.
    case .logOut, .openLogIn: context.finish(())
    default: break
    }
  }

  func restoreChild(_ name: String) -> Bool {
    name == "search"
      && context.restoreChild(name) {
        SearchCoordinator($0)
      } then: { [weak self] in
        self?.found($0)
      }
  }

  private func found(_ result: CoordinatorResult<Word?>) {
    guard case .finished(let word) = result else { return }
    if let word { context.push(.screen(.word(word))) } else { context.finish(()) }
  }
}

/// The coordinator of the search for words.
///
/// It finishes with the selected word, or with `nil` when the user opens the log-in because the server requires one.
@MainActor
final class SearchCoordinator: Coordinator {
  let context: DemoContext<Word?>

  init(_ context: DemoContext<Word?>) { self.context = context }

  func start() { context.push(.screen(.search(""))) }

  func receive(_ action: DemoScreen.Action, from node: Node<DemoScreen>) {
    switch action {
    case .search(let text): context.apply(.update(node.id, to: .search(text)))
    case .selectWord(let word): context.finish(word)
    case .openLogIn: context.finish(nil)
    default: break
    }
  }
}

/// The coordinator of the list of phrases.
///
/// It finishes when the user opens the log-in because the server requires one.
@MainActor
final class PhrasesCoordinator: Coordinator {
  let context: DemoContext<Void>

  init(_ context: DemoContext<Void>) { self.context = context }

  func start() { context.push(.screen(.phrases)) }

  func receive(_ action: DemoScreen.Action, from node: Node<DemoScreen>) {
    switch action {
    case .selectPhrase(let phrase): context.push(.screen(.phrase(phrase)))
    case .openLogIn: context.finish(())
    default: break
    }
  }
}
