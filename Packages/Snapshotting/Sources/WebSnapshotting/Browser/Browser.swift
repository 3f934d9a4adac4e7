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
/// **Several at once.** Captures may be asked for from any thread and any number of tasks. As many as ``Configuration/tabs`` go
/// on at the same time, no two of them in one browser context. A context is used again, with a window as new, only after a page that
/// could leave nothing in it: text without a network that has no origin, or nothing that could store something there.
///
/// **Failures.** When a page takes its tab down, or the browser ends, the captures under way fail, and the next one starts
/// anew.
///
/// **Sandbox.** Pages are kept in the browser's sandbox. The browser refuses that to root: then a capture fails with
/// ``WebError/Kind/noSandbox``, unless the configuration or the environment (`WEB_SNAPSHOTTING_SANDBOX=off`) say that pages are trusted
/// enough to do without.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
public final class Browser: @unchecked Sendable {
  /// The browser of this process, with the configuration that the environment gives (see ``Configuration``).
  public static let shared = Browser()

  /// How the browser is found and started.
  public let configuration: Configuration

  let clock: any Clock<Duration>
  private let memoryClock: any Clock<Duration>
  private let slots: TabSlots
  private let lock = NSLock()
  private var current: SharedWork<RunningBrowser>?

  /// Creates a browser, which starts with its first capture.
  ///
  /// - Parameter configuration: How it is found and started.
  public convenience init(_ configuration: Configuration = Configuration()) {
    self.init(configuration, clock: ContinuousClock())
  }

  /// Creates a browser whose limits are on a clock.
  ///
  /// - Parameter memoryClock: Says when to look at how much memory pages take, which they do whatever the limits are.
  init(
    _ configuration: Configuration, clock: any Clock<Duration>, memoryClock: any Clock<Duration> = ContinuousClock()
  ) {
    self.configuration = configuration
    self.clock = clock
    self.memoryClock = memoryClock
    slots = TabSlots(configuration.tabs)
  }

  deinit {
    current?.giveUp(WebError.closed)?.letGo()
  }

  /// Starts the browser, if it does not run.
  ///
  /// Captures do so themselves; this is for those who want to show that it takes a moment. A start that all who waited for it have
  /// cancelled is ended, with all that belongs to it, before the last of them goes on.
  ///
  /// - Throws: ``WebError`` when there is no browser or it does not start within ``Configuration/startTimeout``.
  public func start() async throws(WebError) {
    do { _ = try await running() } catch { throw WebError(error) }
  }

  /// Ends the browser, and waits until nothing of it is left.
  ///
  /// Captures under way fail; a later one starts it again.
  public func close() async {
    guard let ended = lock.withLock({ current.take() }) else { return }
    ended.giveUp(WebError.closed)
    await ended.finished()?.close()
  }

  /// Opens a tab for a page, once there is room for one more.
  func open(_ page: WebPage) async throws -> Tab {
    try page.viewport.check()
    try page.checkBaseURL()
    try page.checkResponses()
    try await slots.take()
    do {
      let running = try await running()
      let tab: Tab
      do {
        tab = try await bounded(page.timeout, on: clock, doing: "a browser tab") { try await running.open(page) }
      } catch let error as WebError where error.kind == .timedOut {
        running.endIfItHangs()
        throw WebError(
          kind: .timedOut,
          description:
            "Cannot open a browser tab: timed out after \(page.timeout). Either the browser hangs, and is then stopped, "
            + "or the machine is busy. Allow the page more time, or capture fewer pages at a time.")
      }
      tab.onClose { [slots] in slots.giveBack() }
      return tab
    } catch {
      slots.giveBack()
      throw error
    }
  }

  /// The running browser; when there is none, or it has ended, a new one.
  func running() async throws -> RunningBrowser {
    while true {
      let start = lock.withLock { current ?? launch() }
      do {
        let running = try await start.value()
        if running.isAlive { return running }
        forget(start)
      } catch is SharedWork<RunningBrowser>.GivenUp {
        forget(start)
      } catch {
        forget(start)
        throw error
      }
    }
  }

  /// Starts a browser; called with the lock held.
  private func launch() -> SharedWork<RunningBrowser> {
    let start = SharedWork(discardingBy: { await $0.close() }) { [configuration, clock, memoryClock] in
      try await RunningBrowser.launch(
        configuration, environment: ProcessInfo.processInfo.environment, clock: clock, memoryClock: memoryClock)
    }
    current = start
    return start
  }

  private func forget(_ start: SharedWork<RunningBrowser>) {
    lock.withLock { if current === start { current = nil } }
  }
}
