public import Foundation

/// A view of a web page that nobody sees, with the interface of WebKit's: it loads, tells a delegate, and takes snapshots.
///
/// Strategies and ``Browser`` use it for you. It is here for those who want to do something between loading and the snapshot.
///
/// ```swift
/// let view = WebView(page)
/// view.navigationDelegate = delegate   // held weakly: keep it
/// view.load()                          // later: delegate.webViewDidFinish(view)
/// ```
///
/// Its tab is closed with ``close()``, or when nobody holds the view any more.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
public final class WebView: @unchecked Sendable {
  /// What the view shows.
  public let page: WebPage

  private let browser: Browser
  private let deliver: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let lock = NSLock()
  private weak var delegate: (any NavigationDelegate)?
  private var opening: SharedWork<Tab>?

  /// Creates a view; nothing happens until it is used.
  ///
  /// - Parameters:
  ///   - page: What it shows.
  ///   - browser: What shows it.
  ///   - deliver: Where the delegate and completion handlers are called: it runs the closures that it is handed, once each, in
  ///     order. They are called on a queue of the library if it is left out.
  public init(
    _ page: WebPage, in browser: Browser = .shared,
    deliveringOn deliver: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
  ) {
    self.page = page
    self.browser = browser
    self.deliver = deliver
  }

  deinit {
    close()
  }

  /// What is told how loading goes.
  ///
  /// It is held weakly, as everywhere: a delegate that nobody else holds is told nothing.
  public var navigationDelegate: (any NavigationDelegate)? {
    get { lock.withLock { delegate } }
    set { lock.withLock { delegate = newValue } }
  }

  /// Loads the page, and tells the delegate.
  public func load() {
    // Strongly: what is under way holds the view.
    Task(executorPreference: BrowserExecutor.shared) {
      do throws(WebError) {
        try await self.loaded()
        self.deliver { self.navigationDelegate?.webViewDidFinish(self) }
      } catch {
        self.deliver { self.navigationDelegate?.webView(self, didFail: error) }
      }
    }
  }

  /// Waits until the page is ready (see ``WebPage/readiness``), and takes a picture of what it shows.
  ///
  /// Before ``load()`` that is an empty page of the same size.
  ///
  /// - Parameter completion: Called once, with a PNG or what went wrong.
  public func takeSnapshot(_ completion: @escaping @Sendable (Result<Data, WebError>) -> Void) {
    Task(executorPreference: BrowserExecutor.shared) {
      let result: Result<Data, WebError>
      do throws(WebError) { result = .success(try await self.png()) } catch { result = .failure(error) }
      self.deliver { completion(result) }
    }
  }

  /// Closes the tab.
  ///
  /// Loading it again opens a new one.
  public func close() {
    let opening = lock.withLock { self.opening.take() }
    opening?.giveUp(CancellationError())?.close()
  }

  func loaded() async throws(WebError) {
    try await work { page, tab, _, notes in try await tab.load(page, notes) }
  }

  func png() async throws(WebError) -> Data {
    try await work { page, tab, clock, notes in
      try await tab.enterUnlessLoaded(page)
      return try await tab.withDocument(of: page, notes) { try await tab.settledPicture(of: page, on: clock, notes) }
    }
  }

  /// What a script says about the page when it is ready.
  func text(of script: String) async throws(WebError) -> String {
    try await work { page, tab, clock, notes in
      try await tab.enterUnlessLoaded(page)
      return try await tab.withDocument(of: page, notes) {
        try await tab.settle(page.readiness, of: page, on: clock, notes)
        notes.wait(for: "the text of the document")
        return try await tab.text(of: script)
      }
    }
  }

  /// The console's messages when the page is ready.
  func console() async throws(WebError) -> [ConsoleMessage] {
    try await work { page, tab, clock, notes in
      try await tab.enterUnlessLoaded(page)
      return try await tab.withDocument(of: page, notes) {
        try await tab.settle(page.readiness, of: page, on: clock, notes)
        return tab.state.console
      }
    }
  }

  private func work<Value: Sendable>(
    _ work: @escaping @Sendable (WebPage, Tab, any Clock<Duration>, ProgressNotes) async throws -> Value
  ) async throws(WebError) -> Value {
    let tab: Tab
    do { tab = try await openTab() } catch { throw WebError(error) }
    return try await tab.work(within: page.timeout, on: browser.clock) { [page, browser] notes in
      try await work(page, tab, browser.clock, notes)
    }
  }

  private func openTab() async throws -> Tab {
    while true {
      let opening = lock.withLock {
        let opening = self.opening ?? SharedWork { [browser, page] in try await browser.open(page) }
        self.opening = opening
        return opening
      }
      do {
        return try await opening.value()
      } catch is SharedWork<Tab>.GivenUp {
        // By others, who were cancelled.
        lock.withLock { if self.opening === opening { self.opening = nil } }
      }
    }
  }
}
