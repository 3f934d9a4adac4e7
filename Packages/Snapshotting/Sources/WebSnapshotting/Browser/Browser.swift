internal import Foundation

/// A browser that shows web pages to be captured: Chromium, Chrome or Edge, without a window.
///
/// ```swift
/// let picture = try await Browser.shared.png(of: WebPage(html: "<h1>Puffins</h1>"))
/// ```
///
/// It starts with the first capture and is warm for the ones that follow. It is driven through a pipe, so no port is open, and it
/// ends with this process, in whichever way that ends. Its profile is a temporary folder, which is gone when it is.
///
/// **Several at once.** Captures may be asked for from any thread and any number of tasks. Each has a browser context to itself; as
/// many as ``Options/tabs`` go on at the same time. A context is used again, with a window as new, only after a page that could
/// leave nothing in it: text without an origin and without a network.
///
/// **Failures.** When a page takes its tab down, or the browser ends, the captures under way fail, and the next one starts
/// anew.
///
/// **Sandbox.** Pages are kept in the browser's sandbox. The browser refuses that to root: then a capture fails with
/// ``WebError/Kind/noSandbox``, unless the options or the environment (`WEB_SNAPSHOTTING_SANDBOX=off`) say that pages are trusted
/// enough to do without.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
public final class Browser: @unchecked Sendable {
  /// The browser of this process, with the options that the environment gives (see ``Options/init(environment:)``).
  public static let shared = Browser()

  /// How the browser is found and started.
  public let options: Options

  let clock: any Clock<Duration>
  private let slots: TabSlots
  private let lock = NSLock()
  private var current: Task<RunningBrowser, any Error>?

  /// Creates a browser, which starts with its first capture.
  ///
  /// - Parameter options: How it is found and started.
  public convenience init(_ options: Options = Options(environment: nil)) {
    self.init(options, clock: ContinuousClock())
  }

  /// Creates a browser whose limits are on a clock.
  init(_ options: Options, clock: any Clock<Duration>) {
    self.options = options
    self.clock = clock
    slots = TabSlots(options.tabs)
  }

  deinit {
    // The pipe closes when the last capture lets go of the running browser.
    current?.cancel()
  }

  /// Starts the browser, if it does not run.
  ///
  /// Captures do so themselves; this is for those who want to show that it takes a moment.
  ///
  /// - Throws: ``WebError`` when there is no browser or it does not start.
  public func start() async throws(WebError) {
    do { _ = try await running() } catch { throw WebError(error) }
  }

  /// Ends the browser, and waits until nothing of it is left.
  ///
  /// Captures under way fail; a later one starts it again.
  public func close() async {
    let ended = lock.withLock { current.take() }
    guard let running = try? await ended?.value else { return }
    await running.close()
  }

  /// Opens a tab for a page, once there is room for one more.
  func open(_ page: WebPage) async throws -> Tab {
    try page.viewport.check()
    try await slots.take()
    do {
      return try await running().open(page, givingBackTo: slots)
    } catch {
      slots.giveBack()
      throw error
    }
  }

  /// The running browser; when there is none, or it has ended, a new one.
  func running() async throws -> RunningBrowser {
    let task = lock.withLock { current ?? launch() }
    do {
      let running = try await task.value
      if running.isAlive { return running }
    } catch {
      forget(task)
      throw error
    }
    forget(task)
    return try await lock.withLock { current ?? launch() }.value
  }

  /// Starts a browser; called with the lock held.
  private func launch() -> Task<RunningBrowser, any Error> {
    let task = Task(executorPreference: BrowserExecutor.shared) { [options, clock] in
      try await RunningBrowser.launch(options, environment: ProcessInfo.processInfo.environment, clock: clock)
    }
    current = task
    return task
  }

  private func forget(_ task: Task<RunningBrowser, any Error>) {
    lock.withLock { if current == task { current = nil } }
  }
}
