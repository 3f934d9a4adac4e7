public import Foundation

/// A browser without a window that captures web pages: Chromium, Chrome or Edge.
///
/// ```swift
/// let image = try await Browser.shared.png(of: WebPage(html: "<h1>Puffins</h1>"))
/// ```
///
/// The first capture starts the browser, which then stays warm. It is driven through a pipe without a network port. It
/// ends when this process ends or is killed. Its profile is a temporary folder, which is removed at the end.
///
/// **Concurrency.** Captures may be started from any thread and any number of tasks. At most ``Configuration/tabs`` of
/// them run concurrently, each in its own browser context. A context is reused only after HTML text without a network
/// and without a base URL, which cannot store anything. Cancelling the task ends a capture at once. Only the last
/// capture that waits for the browser's start ends later, after the browser's processes.
///
/// **Failures.** If a page crashes, its capture fails. If the browser ends, all captures in flight fail, and the next one starts
/// another browser.
///
/// **Sandbox.** Pages run in the browser's sandbox, which the browser refuses to root. Then every capture fails with
/// ``WebError/Kind/noSandbox``, unless the configuration or the environment (`WEB_SNAPSHOTTING_SANDBOX=off`) turns the sandbox off.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
public final class Browser: @unchecked Sendable {
  /// The browser of this process, with the configuration of the environment (see ``Configuration``).
  public static let shared = Browser()

  public let configuration: Configuration

  let clock: any Clock<Duration>
  private let memoryClock: any Clock<Duration>
  private let slots: Semaphore
  private let lock = NSLock()
  private var current: SingleFlight<RunningBrowser>?

  /// Creates a browser, which the first capture starts.
  public convenience init(_ configuration: Configuration = Configuration()) {
    self.init(configuration, clock: ContinuousClock())
  }

  init(
    _ configuration: Configuration, clock: any Clock<Duration>, memoryClock: any Clock<Duration> = ContinuousClock()
  ) {
    self.configuration = configuration
    self.clock = clock
    self.memoryClock = memoryClock
    slots = Semaphore(configuration.tabs)
  }

  deinit {
    current?.abandon(WebError.closed)
    current?.completed?.release()
  }

  /// Starts the browser if it does not run.
  ///
  /// A capture starts it too. Call this to report the start to the user. If all waiting tasks are cancelled, the start ends, and
  /// the last task returns after the browser's processes have ended.
  ///
  /// - Throws: ``WebError`` of the kind ``WebError/Kind/noBrowser``, ``WebError/Kind/noSandbox`` or ``WebError/Kind/cannotStart``, the last
  ///   one also after ``Configuration/startTimeout``; ``WebError/Kind/cancelled`` if the task is cancelled.
  public func start() async throws(WebError) {
    do { _ = try await running() } catch { throw WebError(error) }
  }

  /// Ends the browser, and waits until all its processes and files are gone.
  ///
  /// Captures in flight fail. A later capture starts the browser again.
  public func close() async {
    guard let ended = lock.withLock({ current.take() }) else { return }
    ended.abandon(WebError.closed)
    await ended.finalValue()?.close()
  }

  /// Takes an image of a page when it is ready.
  ///
  /// - Throws: ``WebError`` of any kind: those of ``start()``; ``WebError/Kind/cannotLoad``, ``WebError/Kind/notFound``
  ///   and ``WebError/Kind/timedOut`` for the page; ``WebError/Kind/pageCrashed`` and ``WebError/Kind/browserEnded``
  ///   for a crash.
  public func png(of page: WebPage) async throws(WebError) -> Data {
    try await capture(page) { tab, progress in try await tab.screenshot(of: page, progress).png() }
  }

  /// Returns the document of a page when it is ready, in the normal form of the strategy `dom`.
  ///
  /// - Throws: ``WebError``, as ``png(of:)`` does.
  public func dom(of page: WebPage) async throws(WebError) -> String {
    try await capture(page) { tab, progress in try await tab.text(Scripts.dom, of: page, progress) }
  }

  /// Returns the visible text of a page when it is ready, without shadow trees and frames.
  ///
  /// - Throws: ``WebError``, as ``png(of:)`` does.
  public func text(of page: WebPage) async throws(WebError) -> String {
    try await capture(page) { tab, progress in try await tab.text(Scripts.text, of: page, progress) }
  }

  /// Returns the console messages of a page until it is ready, and its uncaught errors, one in each line.
  ///
  /// - Throws: ``WebError``, as ``png(of:)`` does.
  public func console(of page: WebPage) async throws(WebError) -> String {
    try await capture(page) { tab, progress in try await tab.console(of: page, progress) }
  }

  func capture<Value: Sendable>(
    _ page: WebPage, _ value: @escaping @Sendable (Tab, CaptureProgress) async throws -> Value
  ) async throws(WebError) -> Value {
    do {
      return try await BrowserExecutor.run { [slots, clock] in
        try page.check()
        try await slots.wait()
        defer { slots.signal() }
        return try await self.running().capture(page, within: Deadline(after: page.timeout, on: clock), value)
      }
    } catch {
      throw WebError(error)
    }
  }

  func running() async throws -> RunningBrowser {
    while true {
      let start = lock.withLock { current ?? launch() }
      do {
        let running = try await start.value()
        if try await running.isUsable() { return running }
        forget(start)
      } catch is SingleFlight<RunningBrowser>.Abandoned {
        forget(start)
      } catch {
        forget(start)
        throw error
      }
    }
  }

  /// Starts a browser; called with the lock held.
  private func launch() -> SingleFlight<RunningBrowser> {
    let start = SingleFlight(discard: { await $0.close() }) { [configuration, clock, memoryClock] in
      try await RunningBrowser.launch(
        configuration, environment: ProcessInfo.processInfo.environment, clock: clock, memoryClock: memoryClock)
    }
    current = start
    return start
  }

  private func forget(_ start: SingleFlight<RunningBrowser>) {
    lock.withLock { if current === start { current = nil } }
  }
}
