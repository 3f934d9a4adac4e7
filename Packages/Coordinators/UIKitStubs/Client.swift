// A client of `CoordinatorsUIKit`: the app delegate and the coordinators of the talk
// *Boundaries in Practice*. Without UIKit, the module is empty.

import CoordinatorsUIKit

#if canImport(UIKit)
  import Futures
  import UIKit

  struct Word: Identifiable, Hashable, Sendable { var id: String }

  enum WordsScreen: NavigationScreen {
    case words, word(Word), phrases, remote(String)

    enum Action: Sendable { case select(Word) }
  }

  struct WordsDataSource: Sendable { var words = [Word(id: "fiets"), Word(id: "brood")] }

  final class WordViewController: UIViewController {
    init(word: Word) {
      super.init(nibName: nil, bundle: nil)
      title = word.id
    }

    required init?(coder: NSCoder) { nil }
  }

  struct WordProvider: RemoteContentProviding {
    let id: String

    func fetchContent() -> Future<Word, any Error> { Future(value: Word(id: id)) }

    func presentation(for content: Result<Word, any Error>) -> UIViewController {
      MainActor.assumeIsolated {
        switch content {
        case .success(let word): WordViewController(word: word)
        case .failure: UIViewController()
        }
      }
    }
  }

  @MainActor
  final class WordsCoordinator: Coordinator {
    let context: CoordinatorContext<WordsScreen, Never>

    init(context: CoordinatorContext<WordsScreen, Never>) { self.context = context }

    func start() { context.push(.screen(.words)) }

    func receive(_ action: WordsScreen.Action, from node: Node<WordsScreen>) {
      if case .select(let word) = action { context.push(.screen(.word(word))) }
    }
  }

  @MainActor
  final class ApplicationCoordinator: Coordinator {
    let context: CoordinatorContext<WordsScreen, Never>

    init(context: CoordinatorContext<WordsScreen, Never>) { self.context = context }

    func start() {
      let words = Node<WordsScreen>.stack([.screen(.words)]).owned(by: context.id.child("words"))
      context.push(.tabs([.tab("words", words), .tab("phrases", .stack([.screen(.phrases)]))]))
    }

    func restoreChild(_ name: String) -> Bool {
      context.restoreChild(name, make: WordsCoordinator.init(context:))
    }
  }

  @MainActor
  final class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private var shell: UIKitShell<WordsScreen>?
    private var navigator: Navigator<WordsScreen>?
    private let dataSource = WordsDataSource()

    func application(
      _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
      let window = UIWindow(frame: UIScreen.main.bounds)
      let shell = UIKitShell<WordsScreen>(
        window: window, make: { [unowned self] in viewController(for: $0) }, update: { $0.title = "\($1)" })
      let navigator = Navigator<WordsScreen>(show: shell.show)
      shell.navigator = navigator
      (self.window, self.shell, self.navigator) = (window, shell, navigator)
      window.makeKeyAndVisible()
      navigator.start("application") { ApplicationCoordinator(context: $0) }
      return true
    }

    private func viewController(for node: Node<WordsScreen>) -> UIViewController {
      switch node.screen {
      case .words:
        let page = Page<WordsScreen.Action>.list("Words", dataSource.words) { .init($0.id, .select($0)) }
        return PageViewController(page) { [weak self] in self?.navigator?.send($0, from: node.id) }
      case .word(let word): return WordViewController(word: word)
      case .remote(let id): return RemoteContentContainerViewController(provider: WordProvider(id: id))
      case .phrases, nil: return UIViewController()
      }
    }
  }
#endif
