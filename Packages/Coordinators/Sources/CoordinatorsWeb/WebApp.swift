public import Coordinators

/// Holds a navigator, the contents of its screens and a ``WebShell`` together: one person's app in a browser.
///
/// ```swift
/// let app = WebApp(contents: contents, work: work, token: token)
/// app.navigator.start("application") { ApplicationCoordinator($0) }
/// let response = await app.respond(to: WebRequest(.get, "/"))
/// ```
///
/// A server keeps one for each session, and hands it that session's requests.
@MainActor
public final class WebApp<Screen: NavigationScreen> {
  /// Where the coordinators are.
  public let navigator: Navigator<Screen>
  /// What the shell has and writes.
  public private(set) var shell: WebShell<Screen>
  private let contents: ScreenContents<Screen>
  private let work: PendingWork
  /// Hears that the navigation may have changed; to save it, say.
  public var onChange: (Navigation<Screen>) -> Void = { _ in }

  /// Creates an app that shows nothing yet: start a coordinator.
  ///
  /// - Parameters:
  ///   - contents: The pages of the screens.
  ///   - work: What a response waits for: the one that `contents` counts its fetches in.
  ///   - token: A secret of this session's pages; see ``WebShell/init(token:texts:)``.
  ///   - texts: The language of the pages, and the words that the shell adds to them.
  ///   - navigation: A restored navigation.
  ///   - report: Hears what was not obeyed.
  public init(
    contents: ScreenContents<Screen>, work: PendingWork, token: String, texts: WebTexts = WebTexts(),
    restoring navigation: Navigation<Screen>? = nil, report: @escaping (CoordinatorReport) -> Void = { _ in }
  ) {
    self.contents = contents
    self.work = work
    shell = WebShell(token: token, texts: texts)
    let relay = Relay<Batch<Screen>>()
    navigator = Navigator(restoring: navigation, shell: { relay.receive($0) }, report: report)
    relay.receive = { [weak self] in self?.perform($0) }
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
    case .moved(let skeleton): observe(skeleton)
    case .answered(let response): return response
    }
    if let skeleton = shell.selectTab(request) {
      observe(skeleton)
      await work.settled()
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
      contents.refresh(node)
      return shell.redirect
    }
    await work.settled()
    return shell.redirect
  }

  /// Waits for what is under way, unless there is something to show meanwhile.
  private func firstLoad() async {
    let page = page
    if !(page.isLoading && page.isRefreshable) { await work.settled() }
  }

  private var page: Page<Screen.Action> {
    shell.tree.navigation.map { contents.page(of: $0.front) } ?? Page("")
  }

  private func observe(_ skeleton: Skeleton) {
    contents.follow(shell.tree.navigation)
    navigator.observe(skeleton)
    changed()
  }

  private func perform(_ batch: Batch<Screen>) {
    // Commands that were not made for what the shell has are a mistake of this library: what it has then is told, and the
    // core sets it up anew.
    let acknowledgement =
      (try? shell.perform(batch))
      ?? shell.tree.skeleton.map { Acknowledgement(batch: batch.number, skeleton: $0) }
    contents.follow(shell.tree.navigation)
    if let acknowledgement { navigator.acknowledge(acknowledgement) }
    changed()
  }

  private func changed() {
    if let navigation = navigator.navigation { onChange(navigation) }
  }
}

/// Stands for somebody who is not there yet.
private final class Relay<Value> {
  var receive: (Value) -> Void = { _ in }
}
