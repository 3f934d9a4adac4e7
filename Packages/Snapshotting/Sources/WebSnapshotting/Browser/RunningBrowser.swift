internal import Foundation
internal import Snapshotting

/// `@unchecked Sendable`: `lock` guards everything that changes.
final class RunningBrowser: @unchecked Sendable {
  let process: BrowserProcess
  let connection: Connection
  let memory: MemoryMonitor
  let pool: TabPool
  private let clock: any Clock<Duration>
  private let pageMemory: Int
  private let lock = NSLock()
  /// The signals that ended page processes, by target.
  private var crashes: [String: Int] = [:]
  /// Whether a capture has timed out since the browser last responded.
  private var mayHang = false

  private init(
    process: BrowserProcess, connection: Connection, _ options: Browser.Configuration, clock: any Clock<Duration>,
    memoryClock: any Clock<Duration>
  ) {
    (self.process, self.connection, self.clock, pageMemory) = (process, connection, clock, options.pageMemory)
    memory = MemoryMonitor(process, connection, limit: pageMemory, clock: memoryClock)
    pool = TabPool(limit: max(1, options.tabs) + 1, clock: clock)
  }

  deinit {
    release()
  }

  /// The process can end a moment before its connection.
  var isAlive: Bool { connection.closeReason == nil && !process.hasEnded }

  /// After a timeout it must respond within 10 seconds.
  ///
  /// Otherwise it is killed.
  func isUsable() async throws -> Bool {
    guard lock.withLock({ mayHang }) else { return isAlive }
    do {
      try await Deadline(after: .seconds(10), on: clock).run { [connection] in
        _ = try await connection.send("Browser.getVersion")
      }
      lock.withLock { mayHang = false }
    } catch is Deadline.TimedOut {
      connection.close(.hanging)
      await process.waitUntilEnded()
    } catch  where !Task.isCancelled {
      // The browser has ended.
    }
    return isAlive
  }

  /// Nothing is left of the browser if that fails or the task is cancelled.
  static func launch(
    _ options: Browser.Configuration, environment: [String: String], clock: any Clock<Duration>,
    memoryClock: any Clock<Duration>
  ) async throws -> RunningBrowser {
    let finder = BrowserFinder(
      isExecutable: { access($0, X_OK) == 0 },
      path: (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init))
    let executable = try finder.find(options.executable)
    if options.sandbox == .on, geteuid() == 0 { throw WebError.sandboxForRoot }
    let process = try BrowserProcess(executable: executable, options: options, environment: environment)
    let connection = Connection(socket: process.socket) { _ in process.kill() }
    // Another process that the browser left behind may keep the pipe open.
    process.whenEnded { [weak connection] in connection?.close(.browserEnded) }
    let running = RunningBrowser(
      process: process, connection: connection, options, clock: clock, memoryClock: memoryClock)
    do {
      try await Deadline(after: options.startTimeout, on: clock).run {
        _ = try await connection.send("Browser.getVersion")
      }
      try Task.checkCancellation()
    } catch {
      process.kill()
      connection.close(.browserEnded)
      await process.waitUntilEnded()
      let reason = error is Deadline.TimedOut ? WebError.noResponse(within: options.startTimeout) : WebError(error)
      throw WebError.cannotStart(executable, because: reason, standardError: process.standardError)
    }
    running.listen()
    return running
  }

  private func listen() {
    // Idle tabs are released at the end, because they keep the connection alive, which keeps this listener alive.
    connection.listen(to: "", onEnd: { [weak self] _ in self?.pool.removeAll() }) { [weak self] event in
      switch event.method {
      // The browser reports a page that closes its window here, and not in the page's session.
      case "Target.detachedFromTarget":
        if let session = event.parameters["sessionId"]?.string { self?.connection.deliver(event, to: session) }
      case "Target.targetCrashed":
        guard let target = event.parameters["targetId"]?.string else { return }
        self?.note(crash: event.parameters["errorCode"]?.integer ?? 0, of: target)
      default: return
      }
    }
    connection.post("Target.setDiscoverTargets", ["discover": true])
  }

  private func note(crash code: Int, of target: String) {
    lock.withLock { crashes[target] = code }
  }

  /// The end of the connection kills the process; see ``launch(_:environment:clock:memoryClock:)``.
  func close() async {
    connection.close(.closed)
    await process.waitUntilEnded()
  }

  /// The browser's processes end even if this process ends now.
  func release() {
    process.release()
    connection.close(.closed)
  }
}

extension RunningBrowser {
  func capture<Value: Sendable>(
    _ page: WebPage, within deadline: Deadline,
    _ value: @escaping @Sendable (Tab, CaptureProgress) async throws -> Value
  ) async throws -> Value {
    memory.beginCapture()
    defer { memory.endCapture() }
    let tab = try await open(page, within: deadline)
    do {
      let value = try await run(in: tab, within: deadline, CaptureProgress()) { progress in
        try await tab.load(page, progress)
        return try await value(tab, progress)
      }
      if memory.isHigh { tab.close() } else { pool.recycle(tab) }
      return value
    } catch {
      tab.close()
      throw error
    }
  }

  /// Takes an idle tab, or opens one in a new browser context.
  func open(_ page: WebPage, within deadline: Deadline) async throws -> Tab {
    let isOnline = page.network == .on
    if !isOnline, let tab = pool.take(for: page) { return tab }
    do {
      return try await deadline.run { [connection, clock] in
        do {
          return try await Tab.open(connection, isOnline: isOnline, clock: clock)
        } catch let error as WebError where error.kind == .pageCrashed {
          return try await Tab.open(connection, isOnline: isOnline, clock: clock)
        }
      }
    } catch is Deadline.TimedOut {
      lock.withLock { mayHang = true }
      throw WebError(
        kind: .timedOut,
        description:
          "Cannot open a browser tab: timed out after \(deadline.limit). Either the browser hangs, and the next capture "
          + "starts another one, or the machine is busy. Allow the page more time, or capture fewer pages at a time.")
    } catch {
      throw await explained(WebError(error), for: nil)
    }
  }

  /// - Throws: ``WebError``; after a timeout with an image, the document and the console, as far as the page still
  ///   responds.
  func run<Value: Sendable>(
    in tab: Tab, within deadline: Deadline, _ progress: CaptureProgress,
    _ work: @escaping @Sendable (CaptureProgress) async throws -> Value
  ) async throws(WebError) -> Value {
    do {
      return try await deadline.run {
        try await first({ try await work(progress) }, or: { try await tab.untilFailure() })
      }
    } catch {
      if let failure = tab.failure, !(error is CancellationError) { throw await explained(failure, for: tab) }
      if error is Deadline.TimedOut {
        lock.withLock { mayHang = true }
        throw await WebError(kind: .timedOut, description: progress.timeoutMessage(after: deadline.limit))
          .attaching(diagnostics(of: tab))
      }
      let error = WebError(error)
      throw error.kind == .notFound ? await error.attaching(diagnostics(of: tab)) : await explained(error, for: tab)
    }
  }

  /// Collects the state of a tab, within one second.
  private func diagnostics(of tab: Tab) async -> [SnapshotAttachment] {
    let found = DiagnosticFiles()
    try? await Deadline(after: .seconds(1), on: clock).run {
      found.document = try await tab.call(Scripts.dom).string
      found.picture = try await tab.picture(["format": "png"])
    }
    let console = tab.state.console.map { "\($0)\n" }.joined()
    let files = [
      ("picture.png", found.picture), ("document.html", found.document.map { Data($0.utf8) }),
      ("console.txt", console.isEmpty ? nil : Data(console.utf8)),
    ]
    return files.compactMap { name, data in data.map { SnapshotAttachment(data: $0, name: name) } }
  }

  private func explained(_ error: WebError, for tab: Tab?) async -> WebError {
    if error.kind == .pageCrashed, let tab {
      // The browser reports the signal before it replies.
      _ = try? await Deadline(after: .seconds(1), on: clock).run { [connection] in
        try await connection.send("Browser.getVersion")
      }
      return .pageCrashed(signal: lock.withLock { crashes[tab.target] }, pageMemory: pageMemory)
    }
    guard error.kind == .browserEnded, connection.closeReason != nil else { return error }
    await process.waitUntilEnded()
    let output = process.standardError
    return output.isEmpty ? error : error.attaching([.init(string: output, name: "browser-stderr.txt")])
  }
}

/// `@unchecked Sendable`: written by one task, and read after that task has ended.
private final class DiagnosticFiles: @unchecked Sendable {
  var document: String?
  var picture: Data?
}
