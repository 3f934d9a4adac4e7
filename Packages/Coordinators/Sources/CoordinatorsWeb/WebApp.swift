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
/// A server keeps an app for each session, and passes it the requests of that session.
@MainActor
public final class WebApp<Screen: NavigationScreen> {
  public let navigator: Navigator<Screen>
  public private(set) var shell: WebShell<Screen>
  package let contents: ScreenContents<Screen>
  public var onChange: (Navigation<Screen>) -> Void = { _ in }

  /// Creates an app that shows nothing until a coordinator starts in its ``navigator``.
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
  public convenience init<Root: Coordinator>(
    token: String, start: (CoordinatorContext<Screen, Root.Output>) -> Root, texts: WebTexts = WebTexts(),
    restoring navigation: Navigation<Screen>? = nil, report: @escaping (CoordinatorReport) -> Void = { _ in },
    page: @escaping (Screen) -> Page<Screen.Action>
  ) where Root.Screen == Screen {
    self.init(token: token, texts: texts, restoring: navigation, report: report, page: page)
    navigator.start("application", make: start)
  }

  /// Responds to a request after all work that it starts has completed; fetches need their own timeouts.
  ///
  /// The response does not wait for content that is being refreshed: the page shows the old content with a note, and reloads
  /// itself. When the task is cancelled, for example because the browser disconnected, the response shows the current state.
  public func respond(to request: WebRequest) async -> WebResponse {
    // The app may be about to replace its first screen. A redirect to that screen would later look like the back button.
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
    // If the user has returned to an earlier screen, its content must be loaded before its links can be resolved.
    await firstLoad()
    switch shell.command(request, on: page) {
    case .show: return shell.response(page: page)
    case .answered(let response): return response
    case .edit(let action, let node):
      navigator.send(action, from: node)
      return .noContent
    case .trigger(.send(let action), let node): navigator.send(action, from: node)
    case .trigger(.refresh, let node):
      // The page after the redirect shows that the content is being fetched, and reloads itself.
      refresh(node)
      return shell.redirect
    }
    await navigator.waitUntilIdle()
    return shell.redirect
  }

  private func firstLoad() async {
    let page = page
    if !(page.isLoading && page.isRefreshable) { await navigator.waitUntilIdle() }
  }

  private var page: Page<Screen.Action> {
    shell.navigation.map { contents.page(of: $0.front) } ?? Page("")
  }

  public func refresh(_ id: NodeID) { contents.refresh(id) }

  private func show(_ navigation: Navigation<Screen>) {
    shell.show(navigation)
    contents.follow(navigation)
    onChange(navigation)
  }
}
