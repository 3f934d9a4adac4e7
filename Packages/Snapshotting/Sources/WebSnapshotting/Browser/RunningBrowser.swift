internal import Foundation
internal import Snapshotting

/// A browser that has started: its process, the pipe to it, and tabs that wait to be used.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class RunningBrowser: @unchecked Sendable {
  let process: BrowserProcess
  let connection: Connection
  private let lock = NSLock()
  private var spares = Spares<SharedWork<Tab>>()
  /// How many tabs are in use, those with a network included.
  private var inUse = 0
  let memory: MemoryWatch
  let clock: any Clock<Duration>

  private init(
    process: BrowserProcess, connection: Connection, pageMemory: Int, clock: any Clock<Duration>,
    memoryClock: any Clock<Duration>
  ) {
    self.process = process
    self.connection = connection
    self.clock = clock
    memory = MemoryWatch(process, connection, limit: pageMemory, clock: memoryClock)
  }

  deinit {
    letGo()
  }

  /// Whether the browser can be asked for something.
  var isAlive: Bool { connection.end == nil }

  /// Finds and starts a browser, and waits until it answers.
  ///
  /// When it does not, or the task is cancelled, nothing of it is left.
  static func launch(
    _ options: Browser.Configuration, environment: [String: String], clock: any Clock<Duration>,
    memoryClock: any Clock<Duration>
  ) async throws -> RunningBrowser {
    let finder = BrowserFinder(
      isExecutable: { access($0, X_OK) == 0 },
      path: (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init),
      osRelease: (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? "")
    let executable = try finder.find(options.executable)
    if options.sandbox == .on, geteuid() == 0 { throw WebError.sandboxForRoot }
    let process = try BrowserProcess(executable: executable, options: options, environment: environment)
    let connection = Connection(socket: process.socket) { _ in process.kill() }
    // The pipe itself says nothing while another process holds it that the browser left behind.
    process.whenEnded { [weak connection] in connection?.close(.browserEnded) }
    let running = RunningBrowser(
      process: process, connection: connection, pageMemory: options.pageMemory, clock: clock, memoryClock: memoryClock)
    do {
      try await bounded(options.startTimeout, on: clock, doing: "the browser to answer") {
        _ = try await connection.send("Browser.getVersion")
      }
      try Task.checkCancellation()
    } catch {
      process.kill()
      connection.close(.browserEnded)
      await process.ended()
      throw WebError.cannotStart(executable, because: WebError(error), said: process.standardError)
    }
    // Tabs that wait to be used hold the browser, which holds them.
    connection.handleEvents(of: "", onEnd: { [weak running] _ in running?.dropSpares() }) { [weak connection] event in
      // A page that closes its window is told of here, and not in its own session.
      guard event.method == "Target.detachedFromTarget", let tab = event.parameters["sessionId"]?.string else { return }
      connection?.pass(event, to: tab)
    }
    return running
  }

  /// Ends the browser, and waits until nothing of it is left.
  func close() async {
    end(.closed)
    await process.ended()
  }

  /// Ends the browser: its process is killed, since it has nothing to keep, and what hangs would not end otherwise.
  func end(_ reason: WebError) {
    connection.close(reason)
  }

  /// Ends the browser when nobody will wait for that: it goes, and so does its folder, even if this process ends now.
  func letGo() {
    process.letGo()
    connection.close(.closed)
  }

  /// Ends the browser if it does not answer, so that the next capture starts another.
  func endIfItHangs() {
    Task(executorPreference: BrowserExecutor.shared) { [connection, clock] in
      do {
        try await bounded(.seconds(10), on: clock, doing: "the browser to answer") {
          _ = try await connection.send("Browser.getVersion")
        }
      } catch {
        connection.close(.hanging)
      }
    }
  }

  /// Opens a tab in a context of its own.
  func open(_ page: WebPage) async throws -> Tab {
    let isOnline = page.network == .on
    // None that waits has a network.
    if !isOnline { prepareSpares() }
    let spare: SharedWork<Tab>? = lock.withLock {
      inUse += 1
      memory.setOn(true)
      guard !isOnline else { return nil }
      spares.beginUse()
      return spares.take(for: page)
    }
    do {
      let ready = await awaited(spare)
      let tab = if let ready { ready } else { try await Tab.open(in: self, isOnline: isOnline) }
      if !isOnline { prepareSpares() }
      tab.onClose { [weak self] in self?.noteClosed(isOnline: isOnline) }
      return tab
    } catch {
      noteClosed(isOnline: isOnline)
      throw await explained(error)
    }
  }

  private func noteClosed(isOnline: Bool) {
    lock.withLock {
      inUse -= 1
      memory.setOn(inUse > 0)
      if !isOnline { spares.endUse() }
    }
  }

  /// A tab that was opened before it was needed; `nil` when there is none, or it did not come to be or crashed.
  private func awaited(_ spare: SharedWork<Tab>?) async -> Tab? {
    guard let spare, let tab = try? await spare.value(), tab.failure == nil else { return nil }
    return tab
  }

  /// The origins that the contexts of the tabs have been at that wait to be used; `nil` for nowhere.
  var spareOrigins: [String?] { lock.withLock { spares.origins } }

  /// Keeps the context of a tab that was closed for a capture to come, if there are not enough of them.
  func reuse(_ tab: Tab) {
    let origin = tab.originNow
    let (isKept, dropped) = lock.withLock { () -> (Bool, SharedWork<Tab>?) in
      guard connection.end == nil, spares.canKeep(origin), !memory.sawMuch else { return (false, nil) }
      return (true, spares.keep(SharedWork { try await tab.successor() }, at: origin))
    }
    if !isKept { tab.dispose() }
    dropped?.giveUp(WebError.cancelled)?.close()
  }

  /// Opens tabs for captures without a network to come: one more than there were of those at the same time, those under way included.
  func prepareSpares() {
    lock.withLock {
      while connection.end == nil, spares.needsNew {
        // Weakly, so that a spare does not keep the browser that keeps it.
        spares.add(
          SharedWork { [weak self] in
            guard let self else { throw CancellationError() }
            return try await Tab.open(in: self, isOnline: false)
          })
      }
    }
  }

  private func dropSpares() {
    // Outside of the lock: a tab that goes tells what holds it.
    let dropped = lock.withLock { spares.removeAll() }
    for spare in dropped { spare.giveUp(WebError.browserEnded) }
  }

  /// The error, with what the browser wrote when it has ended.
  func explained(_ error: any Error) async -> WebError {
    let error = WebError(error)
    guard error.kind == .browserEnded, connection.end != nil else { return error }
    await process.ended()
    let said = process.standardError
    return said.isEmpty ? error : error.attaching([.init(string: said, name: "browser-stderr.txt")])
  }
}

extension BrowserProcess {
  /// Waits until nothing of the browser is left.
  func ended() async {
    await withCheckedContinuation { continuation in whenEnded { continuation.resume() } }
  }
}

extension WebError {
  static let closed = WebError(
    kind: .browserEnded,
    description: "Cannot capture the page: the browser was closed. The next capture starts a new one.")

  static let hanging = WebError(
    kind: .browserEnded,
    description:
      "Cannot capture the page: the browser did not answer and was stopped. The next capture starts a new one.")

  static let sandboxForRoot = WebError(
    kind: .noSandbox,
    description:
      "Cannot use the browser's sandbox: the process runs as root. Run it as another user. Or, if you trust all pages, "
      + "turn the sandbox off: set \(Browser.Variables.sandbox)=off."
  )

  static func cannotStart(_ executable: String, because error: WebError, said: String) -> WebError {
    if error.kind == .cancelled { return error }
    if said.contains("No usable sandbox") || said.contains("--no-sandbox") {
      return WebError(
        kind: .noSandbox,
        description: "Cannot use the browser's sandbox: \(executable) finds none on this system. Allow user namespaces "
          + "(`sysctl kernel.unprivileged_userns_clone=1`, or the container's seccomp profile). Or, if you trust all pages, "
          + "set \(Browser.Variables.sandbox)=off.",
        attachments: [.init(string: said, name: "browser-stderr.txt")])
    }
    let lines = said.split(separator: "\n").suffix(5).joined(separator: "\n")
    return WebError(
      kind: .cannotStart,
      description: "Cannot start the browser \(executable)"
        + (error.description == WebError.browserEnded.description
          ? ": it ended before it answered." : ". \(error.description)")
        + " Set \(Browser.Variables.browser) to Chromium, Chrome or Edge, or unset it to search for a browser."
        + (lines.isEmpty ? "" : " Standard error:\n\(lines)"),
      attachments: said.isEmpty ? [] : [.init(string: said, name: "browser-stderr.txt")])
  }
}
