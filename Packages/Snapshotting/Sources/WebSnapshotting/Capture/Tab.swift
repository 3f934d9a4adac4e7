internal import Foundation

/// `@unchecked Sendable`: `lock` guards everything that changes.
final class Tab: @unchecked Sendable {
  let connection: Connection
  let context: String
  let session: String
  /// The browser's name for the tab, and for its main frame.
  let target: String
  let clock: any Clock<Duration>
  private let lock = NSLock()
  private var currentState: TabState
  private var use = Use()
  private var completedUses = 0
  private var watchers: [(condition: @Sendable (TabState) -> Bool, waiter: Waiter<Void>)] = []
  private var currentFailure: WebError?
  private var isClosed = false
  private var workers: Set<String> = []
  private var currentSettings: EmulationSettings?

  private struct Use {
    var page: WebPage?
    var traits: PageTraits?
    var setDocument: Int?
    var checkedDocument: Int?
    /// Whether the window has shown another page, which a script can see by the age of the window.
    var hasUsedWindow = false
  }

  init(
    _ connection: Connection, context: String, session: String, target: String, clock: any Clock<Duration>
  ) {
    (self.connection, self.context, self.session, self.target) = (connection, context, session, target)
    self.clock = clock
    currentState = TabState(mainFrame: target)
  }

  deinit {
    if !isClosed { dispose() }
  }

  /// Opens an empty tab.
  ///
  /// - Parameter isOnline: Whether the tab has a network. Otherwise it has a proxy that does not exist, for everything except
  ///   requests, which are intercepted: WebSockets, name look-ups and early connections.
  static func open(_ connection: Connection, isOnline: Bool, clock: any Clock<Duration>) async throws -> Tab {
    var settings: [String: JSONValue] = ["disposeOnDetach": true]
    if !isOnline {
      settings["proxyServer"] = "127.0.0.1:1"
      settings["proxyBypassList"] = "<-loopback>"
    }
    let created = try await connection.send([Command("Target.createBrowserContext", .object(settings))]) {
      [weak connection] late in connection?.dispose(late["browserContextId"]?.string ?? "")
    }
    let context = created[0]["browserContextId"]?.string ?? ""
    do {
      let replies = try await connection.send([
        Command("Target.createTarget", ["url": "about:blank", "browserContextId": .string(context)]),
        Command("Browser.setDownloadBehavior", ["behavior": "deny", "browserContextId": .string(context)]),
      ])
      let target = replies[0]["targetId"] ?? .null
      let attached = try await connection.send("Target.attachToTarget", ["targetId": target, "flatten": true])
      let tab = Tab(
        connection, context: context, session: attached["sessionId"]?.string ?? "", target: target.string ?? "",
        clock: clock)
      connection.listen(to: tab.session, onEnd: { [weak tab] in tab?.fail($0) }) { [weak tab] in tab?.receive($0) }
      // A crashed process does not reply.
      _ = try await first(
        {
          try await tab.send([
            Command("Inspector.enable"), Command("Page.enable"), Command("Runtime.enable"), holdingWorkers,
            Command(
              "Page.addScriptToEvaluateOnNewDocument",
              ["source": "", "worldName": .string(TabState.isolatedWorld), "runImmediately": true]),
          ])
        }, or: { try await tab.untilFailure() })
      return tab
    } catch {
      connection.dispose(context)
      throw error
    }
  }

  var state: TabState { lock.withLock { currentState } }

  var failure: WebError? { lock.withLock { currentFailure } ?? connection.closeReason }

  var page: WebPage? { lock.withLock { use.page } }

  var traits: PageTraits? { lock.withLock { use.traits } }

  var uses: Int { lock.withLock { completedUses } }

  var hasUsedWindow: Bool { lock.withLock { use.hasUsedWindow } }

  var settings: EmulationSettings? {
    get { lock.withLock { currentSettings } }
    set { lock.withLock { currentSettings = newValue } }
  }

  /// The number of the document whose content was set to the text of the page.
  var setDocument: Int? {
    get { lock.withLock { use.setDocument } }
    set { lock.withLock { use.setDocument = newValue } }
  }

  /// The number of the document that is known not to be an empty failure response.
  var checkedDocument: Int? {
    get { lock.withLock { use.checkedDocument } }
    set { lock.withLock { use.checkedDocument = newValue } }
  }

  func beginUse(_ page: WebPage) {
    let traits = PageTraits(page)
    lock.withLock { (use.page, use.traits) = (page, traits) }
  }

  /// Ends a capture in a tab that was emptied.
  func endUse(keepsWindow: Bool) {
    lock.withLock {
      completedUses += 1
      use = Use(hasUsedWindow: keepsWindow)
      currentState.clearConsole()
    }
  }

  @discardableResult
  func send(_ commands: [Command]) async throws -> [JSONValue] {
    if let failure { throw failure }
    return try await connection.send(commands, session: session)
  }

  @discardableResult
  func send(_ method: String, _ parameters: JSONValue = [:]) async throws -> JSONValue {
    try await send([Command(method, parameters)])[0]
  }

  func post(_ method: String, _ parameters: JSONValue = [:], onRefusal: (@Sendable () -> Void)? = nil) {
    connection.post(method, parameters, session: session, onRefusal: onRefusal)
  }

  func wait(until condition: @escaping @Sendable (TabState) -> Bool) async throws {
    let waiter = Waiter<Void>()
    let result: Result<Void, any Error>? = lock.withLock {
      if let currentFailure { return .failure(currentFailure) }
      if condition(currentState) { return .success(()) }
      watchers.append((condition, waiter))
      return nil
    }
    if let result { return try result.get() }
    defer { lock.withLock { watchers.removeAll { $0.waiter === waiter } } }
    try await waiter.value()
  }

  /// Waits until the tab fails, and throws the reason.
  func untilFailure<Value>() async throws -> Value {
    try await wait { _ in false }
    throw WebError.browserEnded
  }

  /// Everything that waits for it fails.
  func close() {
    let wasClosed = lock.withLock {
      defer { isClosed = true }
      return isClosed
    }
    guard !wasClosed else { return }
    dispose()
    fail(.cancelled)
  }

  private func dispose() {
    for session in workers.union([session]) { connection.ignore(session) }
    connection.dispose(context)
  }

  private func receive(_ event: BrowserEvent) {
    let (effect, page, requests, satisfied) = lock.withLock {
      let effect = currentState.apply(event)
      let satisfied = watchers.filter { $0.condition(currentState) }
      return (effect, use.page, use.traits?.requests, satisfied)
    }
    for watcher in satisfied { watcher.waiter.resume(with: .success(())) }
    switch effect {
    case .beginWorker(let worker): begin(worker, for: page)
    case .endWorker(session): fail(.windowClosed)
    case .endWorker(let worker): forget(worker)
    case .dismissDialog: post("Page.handleJavaScriptDialog", ["accept": false])
    case .fail(let error): fail(error)
    case .decide(let request, let url, let isDocument):
      if let requests { respond(to: request, requests.decision(on: url, isDocument: isDocument)) }
    case nil: break
    }
  }

  private func respond(to request: String, _ decision: RequestDecision) {
    switch decision {
    case .proceed: post("Fetch.continueRequest", ["requestId": .string(request)])
    case .refuse: post("Fetch.failRequest", ["requestId": .string(request), "errorReason": "BlockedByClient"])
    case .fulfil(let response):
      let headers = response.headers.sorted { $0.key < $1.key }
        .map { JSONValue.object(["name": .string($0.key), "value": .string($0.value)]) }
      let parameters: [String: JSONValue] = [
        "requestId": .string(request), "responseCode": .number(Double(response.status)),
        "responseHeaders": .array(headers), "body": .string(response.body.base64EncodedString()),
      ]
      post("Fetch.fulfillRequest", .object(parameters)) { [weak self] in
        // The browser refuses a status that it has no phrase for.
        let withPhrase = parameters.merging(["responsePhrase": "Status"]) { $1 }
        self?.post("Fetch.fulfillRequest", .object(withPhrase)) { [weak self] in
          self?.post("Fetch.failRequest", ["requestId": .string(request), "errorReason": "Failed"])
        }
      }
    }
  }

  private func fail(_ error: WebError) {
    let waiting = lock.withLock {
      currentFailure = currentFailure ?? error
      return watchers
    }
    for watcher in waiting { watcher.waiter.resume(with: .failure(error)) }
  }
}

// MARK: Workers

extension Tab {
  /// Stops workers at their start until this library has set their clocks.
  fileprivate static let holdingWorkers = Command(
    "Target.setAutoAttach", ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true])

  private func begin(_ worker: String, for page: WebPage?) {
    lock.withLock { _ = workers.insert(worker) }
    connection.listen(to: worker, onEnd: { _ in }) { [weak self] event in
      guard let inner = event.parameters["sessionId"]?.string else { return }
      switch event.method {
      case "Target.attachedToTarget": self?.begin(inner, for: page)
      case "Target.detachedFromTarget": self?.forget(inner)
      default: break
      }
    }
    connection.post(Self.holdingWorkers.method, Self.holdingWorkers.parameters, session: worker)
    if let now = page?.now {
      connection.post("Runtime.evaluate", ["expression": .string(Scripts.freezing(now))], session: worker)
    }
    connection.post("Runtime.runIfWaitingForDebugger", session: worker)
  }

  private func forget(_ worker: String) {
    connection.ignore(worker)
    lock.withLock { _ = workers.remove(worker) }
  }
}

extension Connection {
  fileprivate func dispose(_ context: String) {
    post("Target.disposeBrowserContext", ["browserContextId": .string(context)])
  }
}
