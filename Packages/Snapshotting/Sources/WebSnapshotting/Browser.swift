public import Foundation
internal import Parallel
internal import Snapshotting

/// A browser without a window that captures web pages: Chromium, Chrome or Edge.
///
/// ```swift
/// let image = try await Browser.shared.png(of: WebPage(html: "<h1>Puffins</h1>"))
/// ```
///
/// The first capture starts the browser, which then stays warm. It has no network port, and ends when this process ends or is killed.
/// Its profile is a temporary folder, which is removed at the end.
///
/// **Concurrency.** At most ``Configuration/tabs`` captures run concurrently, in their order, each in its own browser context. A context
/// is used again only after HTML text without scripts, frames, an address and a network. Cancelling the task ends a capture at once.
///
/// **Failures.** If a page crashes, its capture fails. If the browser ends, all captures in flight fail, and the next one starts
/// another browser.
public actor Browser {
  /// The browser of this process, with the configuration of the environment (see ``Configuration``).
  public static let shared = Browser()

  public nonisolated let configuration: Configuration

  static let startTimeout = Duration.seconds(60)

  nonisolated let clock: any Clock<Duration>
  private var starting: Task<RunningBrowser, any Error>?
  private var idle: [Tab] = []
  private var freeSlots: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Creates a browser, which the first capture starts.
  public init(_ configuration: Configuration = Configuration()) {
    self.init(configuration, clock: ContinuousClock())
  }

  init(_ configuration: Configuration, clock: any Clock<Duration>) {
    self.configuration = configuration
    self.clock = clock
    freeSlots = max(1, configuration.tabs)
  }

  deinit {
    guard let starting else { return }
    Task { try? await starting.value.connection.close() }
  }

  /// Ends the browser, and waits until its processes and files are gone.
  ///
  /// Captures in flight fail. A later capture starts the browser again.
  public func close() async {
    guard let starting else { return }
    self.starting = nil
    idle = []
    guard let running = try? await starting.value else { return }
    running.connection.close()
    _ = await running.ended.value
  }

  /// Takes an image of a page when it is ready.
  ///
  /// - Throws: ``WebError`` of any kind.
  public nonisolated func png(of page: WebPage) async throws(WebError) -> Data {
    try await capture(page) { tab in try await tab.screenshot() }
  }

  /// Returns the visible text of a page when it is ready, without shadow trees and frames.
  public nonisolated func text(of page: WebPage) async throws(WebError) -> String {
    try await capture(page) { tab in try await tab.text() }
  }
}

// MARK: Captures

extension Browser {
  /// Loads a page in a tab, and takes a value from it when it is ready.
  nonisolated func capture<Value: Sendable>(
    _ page: WebPage, _ take: @escaping @Sendable (Tab) async throws -> Value
  ) async throws(WebError) -> Value {
    var tab: Tab?
    do {
      try page.check()
      try await takeSlot()
      defer { Task { await returnSlot() } }
      let running = try await running()
      let opened = try await withTimeout(page.timeout, on: clock) {
        if page.isInert, let used = await self.takeIdleTab() { used } else { try await running.openTab(for: page) }
      }
      tab = opened
      let value = try await withTimeout(page.timeout, on: clock) { try await opened.capture(page, take) }
      await keep(opened)
      return value
    } catch {
      var failure = WebError(error)
      if error is TimeoutError {
        failure = WebError(
          kind: .timedOut,
          description: "Cannot capture the page: timed out after \(page.timeout) while waiting for "
            + "\(tab?.awaited ?? "a browser tab"). Increase the page's `timeout`, or find out why it is not ready.")
      }
      if failure.kind == .timedOut || failure.kind == .notFound {
        failure.attachments += await tab?.diagnostics() ?? []
      }
      tab?.close()
      throw failure
    }
  }

  private func takeIdleTab() -> Tab? {
    idle.removeAll { $0.failure != nil }
    return idle.popLast()
  }

  /// Keeps the tab of a page without scripts, and closes other tabs.
  private func keep(_ tab: Tab) {
    if tab.page.isInert, idle.count < configuration.tabs { idle.append(tab) } else { tab.close() }
  }

  private func takeSlot() async throws {
    if freeSlots > 0 {
      freeSlots -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
    if Task.isCancelled {
      returnSlot()
      throw CancellationError()
    }
  }

  private func returnSlot() {
    if waiting.isEmpty { freeSlots += 1 } else { waiting.removeFirst().resume() }
  }

  func running() async throws -> RunningBrowser {
    while true {
      let start =
        starting ?? Task { [configuration, clock] in try await RunningBrowser(configuration, on: clock) }
      starting = start
      do {
        // A cancelled capture does not wait for the start.
        let running = try await Parallel { await start.result }.value().get()
        if !running.connection.hasEnded { return running }
        if starting == start { starting = nil }
      } catch {
        if starting == start, !Task.isCancelled { starting = nil }
        throw error
      }
    }
  }
}

/// A browser process with its connection.
struct RunningBrowser: Sendable {
  /// The process group.
  let process: pid_t
  let connection: Connection
  /// Returns the last lines of the browser's standard error, when its processes and files are gone.
  let ended: Task<String, Never>
  /// The browser's reply to `Browser.getVersion`.
  let version: JSONValue
  let clock: any Clock<Duration>

  init(_ configuration: Browser.Configuration, on clock: any Clock<Duration>) async throws {
    let process = try BrowserProcess(configuration, path: ProcessInfo.processInfo.environment["PATH"])
    let (outputs, ending) = AsyncStream.makeStream(of: String.self)
    connection = Connection(socket: process.socket) { ending.yield(process.end()) }
    ended = Task { await outputs.first { _ in true } ?? "" }
    (self.process, self.clock) = (process.group, clock)
    do {
      version = try await withTimeout(Browser.startTimeout, on: clock) { [connection] in
        try await connection.send("Browser.getVersion")
      }
    } catch {
      connection.close()
      let output = await ended.value
      let cause =
        error is TimeoutError ? "it did not answer within \(Browser.startTimeout)" : "it ended before it answered"
      throw WebError.cannotStart(
        "Cannot start the browser: \(cause). Set \(Browser.Variables.browser) to Chromium, Chrome or Edge. "
          + "As root, or without user namespaces, the browser has no sandbox: if you trust all pages, "
          + "set \(Browser.Variables.sandbox)=off. Standard error:\n\(output)")
    }
  }

  /// Opens an empty tab in a new browser context.
  ///
  /// Without a network it has a proxy that does not exist, for WebSockets, name look-ups and early connections.
  func openTab(for page: WebPage) async throws -> Tab {
    var settings: [String: JSONValue] = ["disposeOnDetach": true]
    if page.network != .on {
      settings["proxyServer"] = "127.0.0.1:1"
      settings["proxyBypassList"] = "<-loopback>"
    }
    let created = try await connection.send("Target.createBrowserContext", .object(settings))
    let context = created["browserContextId"] ?? .null
    do {
      let replies = try await connection.send([
        Command("Target.createTarget", ["url": "about:blank", "browserContextId": context]),
        Command("Browser.setDownloadBehavior", ["behavior": "deny", "browserContextId": context]),
      ])
      let target = replies[0]["targetId"] ?? .null
      let attached = try await connection.send("Target.attachToTarget", ["targetId": target, "flatten": true])
      return Tab(
        self, context: context, session: attached["sessionId"]?.string ?? "", target: target.string ?? "")
    } catch {
      connection.post(Command("Target.disposeBrowserContext", ["browserContextId": context]))
      throw error
    }
  }
}

/// Does work within a time limit, and cancels it after the limit without waiting for its end.
///
/// - Throws: `TimeoutError`, `CancellationError`, or the error of the work.
func withTimeout<Value: Sendable>(
  _ limit: Duration, on clock: any Clock<Duration>, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let task = Task { try await work() }
  defer { task.cancel() }
  return try await Parallel { await task.result }.timeout(after: limit, on: clock).value().get().get()
}

extension Browser {
  public struct Configuration: Sendable, Hashable {
    public enum Fonts: Sendable, Hashable {
      /// DejaVu without hinting, for equal images on any Linux system.
      ///
      /// Web fonts of a page are used too. On Apple's platforms this is the same as ``system``.
      case pinned
      /// The fonts and the font configuration of this system.
      case system
    }

    /// The path or the name of the browser; `nil` to search for one.
    public var executable: String?
    /// Whether pages run in the browser's sandbox.
    ///
    /// If the system has none, or for root, the browser does not start with it. Without it, a page that exploits the browser has the
    /// rights of this process.
    public var isSandboxed: Bool
    public var fonts: Fonts
    /// The maximum number of concurrent captures.
    ///
    /// Further captures wait.
    public var tabs: Int

    /// Creates a configuration.
    ///
    /// Environment variables give the defaults.
    ///
    /// `WEB_SNAPSHOTTING_BROWSER` is the path or the name of the browser; without it, a browser is searched.
    /// `WEB_SNAPSHOTTING_SANDBOX` may be `off`.
    public init(
      executable: String? = nil, isSandboxed: Bool? = nil, fonts: Fonts = .pinned, tabs: Int = 4
    ) {
      let environment = ProcessInfo.processInfo.environment
      self.executable = executable ?? environment[Variables.browser].flatMap { $0.isEmpty ? nil : $0 }
      self.isSandboxed = isSandboxed ?? (environment[Variables.sandbox] != "off")
      self.fonts = fonts
      self.tabs = tabs
    }
  }

  enum Variables {
    static let browser = "WEB_SNAPSHOTTING_BROWSER"
    static let sandbox = "WEB_SNAPSHOTTING_SANDBOX"
  }
}
