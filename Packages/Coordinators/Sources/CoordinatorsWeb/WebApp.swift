@_exported public import Coordinators

/// An app in a browser: the pages of its screens and its coordinators, for one user.
///
/// ```swift
/// let app = WebApp(token: token, start: WordsCoordinator.init) { screen in
///   switch screen {
///   case .words: Page("Words", ["fiets", "brood"].map { .row($0, .select($0)) })
///   case .word(let word): Page(word, [.fact(label: "Dutch", value: word)])
///   }
/// }
/// let response = await app.respond(to: WebRequest(.get, "/"))
/// ```
///
/// A server keeps one for each session, and hands it that session's requests.
@MainActor
public final class WebApp<Screen: NavigationScreen> {
  /// The coordinators and the navigation.
  public let navigator: Navigator<Screen>
  /// The shell, which writes the navigation as pages.
  public private(set) var shell: WebShell<Screen>
  package let contents: ScreenContents<Screen>
  /// Called after the navigation has changed, for example to save it.
  public var onChange: (Navigation<Screen>) -> Void = { _ in }

  /// Creates an app that shows nothing until a coordinator starts in its ``navigator``.
  ///
  /// - Parameters:
  ///   - token: A secret of this session's pages; see ``WebShell/init(token:texts:)``.
  ///   - texts: The language of the pages, and the words that the shell adds to them.
  ///   - navigation: A restored navigation.
  ///   - report: Receives what the navigator ignored or refused.
  ///   - page: Makes the page of a screen; use `Page.remote` for content that is fetched.
  public init(
    token: String, texts: WebTexts = WebTexts(), restoring navigation: Navigation<Screen>? = nil,
    report: @escaping (CoordinatorReport) -> Void = { _ in }, page: @escaping (Screen) -> Page<Screen.Action>
  ) {
    shell = WebShell(token: token, texts: texts)
    navigator = Navigator(restoring: navigation, report: report)
    contents = ScreenContents(work: navigator.work, page: page)
    navigator.show = { [weak self] in self?.show($0) }
  }

  /// Creates an app and starts its first coordinator, under the name `application`.
  ///
  /// - Parameters:
  ///   - token: A secret of this session's pages; see ``WebShell/init(token:texts:)``.
  ///   - start: Creates the first coordinator.
  ///   - texts: The language of the pages, and the words that the shell adds to them.
  ///   - navigation: A restored navigation.
  ///   - report: Receives what the navigator ignored or refused.
  ///   - page: Makes the page of a screen; use `Page.remote` for content that is fetched.
  public convenience init<Root: Coordinator>(
    token: String, start: (CoordinatorContext<Screen, Root.Output>) -> Root, texts: WebTexts = WebTexts(),
    restoring navigation: Navigation<Screen>? = nil, report: @escaping (CoordinatorReport) -> Void = { _ in },
    page: @escaping (Screen) -> Page<Screen.Action>
  ) where Root.Screen == Screen {
    self.init(token: token, texts: texts, restoring: navigation, report: report, page: page)
    navigator.start("application", make: start)
  }

  /// Answers a request, once what it begins has ended: fetches have their own limits.
  ///
  /// Content that is being refreshed is not waited for: the page has the old one, says so, and loads itself again. When the
  /// task is cancelled, because the browser is gone say, it answers with what there is.
  public func respond(to request: WebRequest) async -> WebResponse {
    // Where an app begins may be decided in a moment: whoever was sent to a screen before would seem to go back to it.
    if request.path == "/" { await firstLoad() }
    switch shell.locate(request) {
    case .here: break
    case .elsewhere(let intent): navigator.apply(intent)
    case .answered(let response): return response
    }
    if let intent = shell.selectTab(request) {
      navigator.apply(intent)
      await navigator.waitUntilIdle()
      return shell.redirect
    }
    // A link of a page that was left, and lost its content meanwhile, needs the content again.
    await firstLoad()
    switch shell.command(request, on: page) {
    case .show: return shell.response(page: page)
    case .answered(let response): return response
    case .edit(let action, let node):
      navigator.send(action, from: node)
      return .noContent
    case .trigger(.send(let action), let node): navigator.send(action, from: node)
    case .trigger(.refresh, let node):
      // The page that the browser is sent to says that it is being fetched, and loads itself again.
      refresh(node)
      return shell.redirect
    }
    await navigator.waitUntilIdle()
    return shell.redirect
  }

  /// Waits for what is under way, unless there is something to show meanwhile.
  private func firstLoad() async {
    let page = page
    if !(page.isLoading && page.isRefreshable) { await navigator.waitUntilIdle() }
  }

  private var page: Page<Screen.Action> {
    shell.navigation.map { contents.page(of: $0.front) } ?? Page("")
  }

  /// Fetches the content of a screen again; does nothing for a screen that is not visible, or not remote.
  public func refresh(_ id: NodeID) { contents.refresh(id) }

  private func show(_ navigation: Navigation<Screen>) {
    shell.show(navigation)
    contents.follow(navigation)
    onChange(navigation)
  }
}
