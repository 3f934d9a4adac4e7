internal import Foundation

/// One tab of a running browser, in a context of its own that it is closed with.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class Tab: @unchecked Sendable {
  let browser: RunningBrowser
  let context: String
  let session: String
  /// How many captures its context has been used for before.
  let uses: Int
  /// The origin that its context was at; `nil` when it was nowhere.
  let origin: String?
  private let lock = NSLock()
  private var stateNow: TabState
  private var page: WebPage?
  private var traits: PageTraits?
  private var watchers:
    [Int: (condition: @Sendable (TabState) -> Bool, continuation: CheckedContinuation<Void, any Error>)] = [:]
  private var lastWatcher = 0
  private var failed: WebError?
  private var closing: [@Sendable () -> Void] = []
  private var isClosed = false
  /// How many pieces of work are under way, or came to no good end.
  private var works = 0
  private var settingsNow: TabSettings
  private var workers: Set<String> = []
  private var placedInNow: Int?
  private var answeredInNow: Int?
  /// Whether its window is that of a page before, of which nothing is left but what scripts alone can see: how long it has been there.
  let hasUsedWindow: Bool

  init(
    _ browser: RunningBrowser, context: String, session: String, mainFrame: String, uses: Int = 0,
    origin: String? = nil,
    settings: TabSettings = TabSettings(), worlds: [String: Int] = [:], hasUsedWindow: Bool = false
  ) {
    self.browser = browser
    self.uses = uses
    self.origin = origin
    self.hasUsedWindow = hasUsedWindow
    settingsNow = settings
    self.context = context
    self.session = session
    stateNow = TabState(mainFrame: mainFrame, worlds: worlds)
  }

  deinit {
    guard !isClosed else { return }
    dispose()
    for body in closing { body() }
  }

  /// Opens an empty tab.
  ///
  /// - Parameter isOnline: Whether it has a network. One that has none gets a proxy that nobody answers, for all there is
  ///   beside requests that can be stopped one by one: WebSockets, look-ups of names, connections made ahead.
  static func open(in browser: RunningBrowser, isOnline: Bool) async throws -> Tab {
    let connection = browser.connection
    var settings: [String: JSONValue] = ["disposeOnDetach": true]
    if !isOnline {
      settings["proxyServer"] = "127.0.0.1:1"
      settings["proxyBypassList"] = "<-loopback>"
    }
    let made = try await connection.send([Command("Target.createBrowserContext", .object(settings))]) {
      [weak connection] late in
      if let connection { dispose(late, connection) }
    }
    let context = made[0]["browserContextId"]?.string ?? ""
    do {
      let replies = try await connection.send([
        Command("Target.createTarget", ["url": "about:blank", "browserContextId": .string(context)]),
        Command("Browser.setDownloadBehavior", ["behavior": "deny", "browserContextId": .string(context)]),
      ])
      let attached = try await connection.send(
        "Target.attachToTarget", ["targetId": replies[0]["targetId"] ?? .null, "flatten": true])
      // A page's target has the name of its main frame.
      let tab = Tab(
        browser, context: context, session: attached["sessionId"]?.string ?? "",
        mainFrame: replies[0]["targetId"]?.string ?? "")
      tab.handleEvents()
      // What is asked of a process that has ended already is answered by nobody.
      try await tab.unlessItFails {
        try await tab.send([
          Command("Inspector.enable"), Command("Page.enable"), Command("Runtime.enable"), Self.holdingWorkers,
          Command(
            "Page.addScriptToEvaluateOnNewDocument",
            ["source": "", "worldName": .string(TabState.world), "runImmediately": true]),
        ])
      }
      return tab
    } catch {
      dispose(made[0], connection)
      throw error
    }
  }

  /// Closes the context that the reply to its making names.
  private static func dispose(_ made: JSONValue, _ connection: Connection) {
    connection.post("Target.disposeBrowserContext", ["browserContextId": made["browserContextId"] ?? .null])
  }

  /// Gets the events of the session from now on.
  func handleEvents() {
    browser.connection.handleEvents(of: session, onEnd: { [weak self] in self?.fail($0) }) { [weak self] in
      self?.take($0)
    }
  }

  /// What is known about the tab.
  var state: TabState { lock.withLock { stateNow } }

  /// Why nothing more can be had from the tab.
  var failure: WebError? { lock.withLock { failed } ?? browser.connection.end }

  /// Whether all that the page can do is to show its own elements.
  var isInert: Bool { lock.withLock { traits?.isInert == true } }

  /// Whether its window can be used for another page when it is emptied.
  var keepsWindow: Bool { lock.withLock { traits?.keepsWindow == true } }

  /// The origin that its context is at with its page.
  var originNow: String? { lock.withLock { traits?.origin } ?? origin }

  /// Whether the tab is a page's.
  var hasPage: Bool { lock.withLock { page != nil } }

  /// Sets whose requests the tab answers.
  func setPage(_ page: WebPage) {
    let traits = PageTraits(page)
    lock.withLock { (self.page, self.traits) = (page, traits) }
  }

  /// What requests of the page get; nothing before there is one.
  var requests: RequestRules? { lock.withLock { traits?.requests } }

  /// The world that the tab shows to its pages.
  var settings: TabSettings {
    get { lock.withLock { settingsNow } }
    set { lock.withLock { settingsNow = newValue } }
  }

  /// Which of the documents the text of the page was placed in.
  var placedIn: Int? {
    get { lock.withLock { placedInNow } }
    set { lock.withLock { placedInNow = newValue } }
  }

  /// Which of the documents is known to be no empty answer.
  var answeredIn: Int? {
    get { lock.withLock { answeredInNow } }
    set { lock.withLock { answeredInNow = newValue } }
  }

  /// Forgets what was written to the console so far.
  func forgetConsole() {
    lock.withLock { stateNow.forgetConsole() }
  }

  /// Notes that a worker of the page has begun.
  func note(worker: String) {
    _ = lock.withLock { workers.insert(worker) }
  }

  /// Notes that a worker of the page has ended.
  func forget(worker: String) {
    browser.connection.ignoreEvents(of: worker)
    _ = lock.withLock { workers.remove(worker) }
  }

  /// Notes that the tab is in the middle of something, beside what it is in the middle of already.
  func beginWork() {
    lock.withLock { works += 1 }
  }

  /// Notes that something has come to a good end.
  func endWork() {
    lock.withLock { works -= 1 }
  }

  /// Gives commands to the tab, and waits for all of their replies; see `Connection.send`.
  @discardableResult
  func send(_ commands: [Command]) async throws -> [JSONValue] {
    if let failure { throw failure }
    if commands.isEmpty { return [] }
    return try await browser.connection.send(commands, session: session)
  }

  /// Gives a command to the tab, and waits for its reply.
  @discardableResult
  func send(_ method: String, _ parameters: JSONValue = [:]) async throws -> JSONValue {
    try await send([Command(method, parameters)])[0]
  }

  /// Waits until the state is as wished.
  func wait(until condition: @escaping @Sendable (TabState) -> Bool) async throws {
    let id = lock.withLock {
      lastWatcher += 1
      return lastWatcher
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Void, any Error>? = lock.withLock {
          if Task.isCancelled { return .failure(CancellationError()) }
          if let failed { return .failure(failed) }
          if condition(stateNow) { return .success(()) }
          watchers[id] = (condition, continuation)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let watcher = lock.withLock { watchers.removeValue(forKey: id) }
      watcher?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Waits until nothing more can be had from the tab, and throws why.
  func waitForFailure() async throws {
    try await wait { _ in false }
  }

  /// Does work that ends when nothing more can be had from the tab.
  func unlessItFails(_ work: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask(executorPreference: BrowserExecutor.shared) { try await work() }
      group.addTask(executorPreference: BrowserExecutor.shared) { try await self.waitForFailure() }
      _ = try await group.next()
    }
  }

  /// Sets something to do when the tab is closed.
  func onClose(_ body: @escaping @Sendable () -> Void) {
    let isClosed = lock.withLock {
      if !self.isClosed { closing.append(body) }
      return self.isClosed
    }
    if isClosed { body() }
  }

  /// Closes the tab and its context, whatever it is doing.
  ///
  /// Its context may be used again when nothing can have been left in it; see ``Tab/successor()``. Closing the tab again does
  /// nothing.
  func close() {
    let closed: (bodies: [@Sendable () -> Void], isReusable: Bool)? = lock.withLock {
      guard !isClosed else { return nil }
      isClosed = true
      let isReusable = failed == nil && works == 0 && uses < Self.mostUses && traits?.leavesNothing == true
      return (closing, isReusable)
    }
    guard let closed else { return }
    if closed.isReusable {
      browser.reuse(self)
    } else {
      dispose()
    }
    for body in closed.bodies { body() }
    fail(.cancelled)
  }

  /// Closes the context, for good.
  func dispose() {
    let workers = lock.withLock { self.workers }
    for name in workers.union([session]) { browser.connection.ignoreEvents(of: name) }
    browser.connection.post("Target.disposeBrowserContext", ["browserContextId": .string(context)])
  }

  private func take(_ event: BrowserEvent) {
    let (effect, page, requests, met) = lock.withLock {
      let effect = stateNow.apply(event)
      let met = watchers.filter { $0.value.condition(stateNow) }
      for id in met.keys { watchers[id] = nil }
      return (effect, self.page, traits?.requests, met)
    }
    for watcher in met.values { watcher.continuation.resume() }
    switch effect {
    case .begin(let worker): begin(worker, for: page)
    case .forget(session): fail(.windowClosed)
    case .forget(let worker): forget(worker: worker)
    case .dismissDialog: post("Page.handleJavaScriptDialog", ["accept": false])
    case .fail(let error): fail(error)
    case .decide(let request, let url, let isDocument):
      guard let requests else { return }
      answer(request, requests.decision(on: url, isDocument: isDocument))
    case nil: break
    }
  }

  private func answer(_ request: String, _ decision: RequestDecision) {
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
        // Perhaps since it has no words for the status.
        let worded = parameters.merging(["responsePhrase": "Status"]) { $1 }
        self?.post("Fetch.fulfillRequest", .object(worded)) { [weak self] in
          // What nobody answers would be waited for.
          self?.post("Fetch.failRequest", ["requestId": .string(request), "errorReason": "Failed"])
        }
      }
    }
  }

  /// Gives a command whose reply nobody waits for.
  func post(_ method: String, _ parameters: JSONValue = [:], onRefusal: (@Sendable () -> Void)? = nil) {
    browser.connection.post(method, parameters, session: session, onRefusal: onRefusal)
  }

  private func fail(_ error: WebError) {
    let waiting = lock.withLock {
      failed = failed ?? error
      defer { watchers = [:] }
      return watchers
    }
    for watcher in waiting.values { watcher.continuation.resume(throwing: error) }
  }
}
