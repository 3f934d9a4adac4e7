internal import Foundation
internal import Parallel

/// A tab of a browser: a page with its session, and the state that the browser's events report.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class Tab: @unchecked Sendable {
  let browser: RunningBrowser
  /// The browser's name for the tab, and for its main frame.
  let target: String
  private let context: JSONValue
  private let session: String
  private let lock = NSLock()
  private var currentState: TabState
  private var watchers: [(condition: @Sendable (TabState) -> Bool, end: @Sendable (Result<Void, WebError>) -> Void)] =
    []
  private var currentFailure: WebError?
  private var currentPage = WebPage(html: "")
  private var responses: [String: WebPage.Response] = [:]
  private var currentAwaited = "the document"

  /// Takes the session of an empty tab.
  init(_ browser: RunningBrowser, context: JSONValue, session: String, target: String) {
    (self.browser, self.context, self.session, self.target) = (browser, context, session, target)
    currentState = TabState(mainFrame: target)
    browser.connection.listen(to: session) { [weak self] in self?.receive($0) }
    for method in ["Inspector.enable", "Page.enable", "Runtime.enable", "Log.enable"] { post(method) }
    post(
      "Page.addScriptToEvaluateOnNewDocument",
      ["source": "", "worldName": .string(TabState.isolatedWorld), "runImmediately": true])
  }

  deinit {
    close()
    browser.connection.post(Command("Target.disposeBrowserContext", ["browserContextId": context]))
  }

  var state: TabState { lock.withLock { currentState } }

  var failure: WebError? { lock.withLock { currentFailure } ?? (browser.connection.hasEnded ? .browserEnded : nil) }

  /// What the capture waits for, for the error of a timeout.
  var awaited: String {
    get { lock.withLock { currentAwaited } }
    set { lock.withLock { currentAwaited = newValue } }
  }

  /// The page that the tab shows.
  var page: WebPage { lock.withLock { currentPage } }

  @discardableResult
  func send(_ commands: [Command]) async throws -> [JSONValue] {
    if let failure { throw failure }
    do {
      return try await browser.connection.send(commands, session: session)
    } catch let error where !(error is CancellationError) {
      // The tab may have failed after the first line.
      throw failure ?? error
    }
  }

  @discardableResult
  func send(_ method: String, _ parameters: JSONValue = [:]) async throws -> JSONValue {
    try await send([Command(method, parameters)])[0]
  }

  /// Waits until a condition of the state holds.
  ///
  /// - Throws: The error of the tab if it fails; `CancellationError`.
  func wait(until condition: @escaping @Sendable (TabState) -> Bool) async throws {
    try await Parallel<Result<Void, WebError>> { callback in
      let known: Result<Void, WebError>? = self.lock.withLock {
        if condition(self.currentState) { return .success(()) }
        if let failure = self.currentFailure { return .failure(failure) }
        self.watchers.append((condition, { callback($0) }))
        return nil
      }
      if let known { callback(known) }
    }.value().get()
  }

  /// Fails everything that waits for the tab, which releases it; the browser context ends with the tab.
  func close() { fail(.cancelled) }

  private func fail(_ error: WebError) {
    let waiting = lock.withLock {
      currentFailure = currentFailure ?? error
      defer { watchers = [] }
      return watchers
    }
    for watcher in waiting { watcher.end(.failure(error)) }
    browser.connection.ignore(session, because: error)
  }

  private func receive(_ event: Command) {
    let satisfied = lock.withLock {
      currentState.apply(event)
      let satisfied = watchers.filter { $0.condition(currentState) }
      if !satisfied.isEmpty { watchers.removeAll { $0.condition(currentState) } }
      return satisfied
    }
    for watcher in satisfied { watcher.end(.success(())) }
    let parameters = event.parameters
    switch event.method {
    case "Page.javascriptDialogOpening": post("Page.handleJavaScriptDialog", ["accept": false])
    case "Inspector.targetCrashed": fail(.pageCrashed)
    case Connection.ended: fail(.browserEnded)
    case "Target.detachedFromTarget" where parameters["sessionId"]?.string == session: fail(.windowClosed)
    case "Fetch.requestPaused": answer(parameters)
    default: break
    }
  }

  private func post(_ method: String, _ parameters: JSONValue = [:], _ onRefusal: @escaping @Sendable () -> Void = {}) {
    browser.connection.post(Command(method, parameters), session: session) { reply in
      if case .failure(is RefusedCommand) = reply { onRefusal() }
    }
  }
}

// MARK: Conditions of a page

extension Tab {
  /// Sets the conditions of a page, before it is loaded.
  func emulate(_ page: WebPage) async throws {
    let motion = page.reducesMotion ?? !page.animates
    var commands = [
      Command("Emulation.setDeviceMetricsOverride", page.metrics(height: page.viewport.height)),
      Command(
        "Emulation.setEmulatedMedia",
        [
          "media": page.isPrinted ? "print" : "",
          "features": [
            ["name": "prefers-color-scheme", "value": page.appearance == .dark ? "dark" : "light"],
            ["name": "prefers-reduced-motion", "value": motion ? "reduce" : "no-preference"],
          ],
        ]),
      Command("Emulation.setLocaleOverride", ["locale": .string(page.locale)]),
      // Cleared first, because the browser accepts an unknown zone as a repetition of the current one.
      Command("Emulation.setTimezoneOverride", ["timezoneId": ""]),
      Command("Emulation.setTimezoneOverride", ["timezoneId": .string(page.timeZone)]),
    ]
    if page.locale != "en-US" || page.isMobile {
      var agent = browser.version["userAgent"]?.string ?? ""
      if page.isMobile { agent = agent.replacing("Safari/", with: "Mobile Safari/") }
      commands.append(
        Command(
          "Emulation.setUserAgentOverride", ["userAgent": .string(agent), "acceptLanguage": .string(page.locale)]))
    }
    if page.isMobile { commands.append(Command("Emulation.setTouchEmulationEnabled", ["enabled": true])) }
    if page.isOffline || !page.headers.isEmpty { commands.append(Command("Network.enable")) }
    if page.isOffline {
      commands.append(
        Command(
          "Network.emulateNetworkConditions",
          ["offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1]))
    }
    if !page.headers.isEmpty {
      let headers = page.headers.mapValues { JSONValue.string($0) }
      commands.append(Command("Network.setExtraHTTPHeaders", ["headers": .object(headers)]))
    }
    // The browser sends cookies in the order in which they were set.
    for (name, value) in page.cookies.sorted(by: { $0.key < $1.key }) {
      let address = page.address?.absoluteString ?? ""
      commands.append(
        Command("Network.setCookie", ["name": .string(name), "value": .string(value), "url": .string(address)]))
    }
    if !page.isInert {
      commands.append(
        Command(
          "Page.addScriptToEvaluateOnNewDocument",
          ["source": .string(Scripts.environment(of: page)), "runImmediately": true]))
    }
    var responses: [String: WebPage.Response] = [:]
    if let given = page.responses {
      commands.append(Command("Fetch.enable", ["patterns": [["urlPattern": "*"]]]))
      // The browser spells an address in its own way: `127.1` is `127.0.0.1`.
      let urls = JSONValue.array(given.keys.map { .string($0.absoluteString) })
      let spelled = try await call("(urls) => urls.map((url) => new URL(url).href)", [urls]).array ?? []
      let addresses = spelled.map { ($0.string ?? "").withoutFragment.decoded }
      responses = Dictionary(zip(addresses, given.values)) { first, _ in first }
    }
    lock.withLock { (currentPage, self.responses) = (page, responses) }
    do {
      try await send(commands)
    } catch let refused as RefusedCommand {
      throw WebError.notFound(
        "Cannot set the conditions of the page: the browser refuses \(refused.command.method) with "
          + "\(refused.command.parameters.text): \(refused.message). Use a time zone of the IANA database, a locale such as "
          + "`nl-NL`, and cookies whose values have no semicolon.")
    }
  }

  /// Answers a request that the browser holds.
  private func answer(_ parameters: JSONValue) {
    guard let id = parameters["requestId"], let url = parameters["request"]?["url"]?.string?.withoutFragment else {
      return
    }
    let (page, responses) = lock.withLock { (currentPage, self.responses) }
    if let response = responses[url.decoded] {
      fulfil(id, response)
    } else if page.network == .on || url.hasPrefix("file:") {
      // The browser refuses files to a page that is not a file.
      post("Fetch.continueRequest", ["requestId": id])
    } else {
      post("Fetch.failRequest", ["requestId": id, "errorReason": "BlockedByClient"])
    }
  }

  private func fulfil(_ id: JSONValue, _ response: WebPage.Response) {
    let headers = response.headers.sorted { $0.key < $1.key }
      .map { JSONValue.object(["name": .string($0.key), "value": .string($0.value)]) }
    let reply: JSONValue = [
      "requestId": id, "responseCode": .number(Double(response.status)), "responseHeaders": .array(headers),
      "body": .string(response.body.base64EncodedString()),
    ]
    post("Fetch.fulfillRequest", reply) { [weak self] in
      // The browser refuses an invalid header field, and a status that it does not know.
      self?.post("Fetch.failRequest", ["requestId": id, "errorReason": "Failed"])
    }
  }
}

extension WebPage {
  /// The parameters of the command that sets the size of the window.
  func metrics(height: Int) -> JSONValue {
    [
      "width": .number(Double(viewport.width)), "height": .number(Double(height)),
      "deviceScaleFactor": .number(viewport.scale), "mobile": .bool(isMobile),
    ]
  }
}

/// The state of a tab: a value that events change.
struct TabState: Sendable {
  /// The name of the JavaScript context of this library's scripts, apart from those of the page.
  static let isolatedWorld = "WebSnapshotting"

  let mainFrame: String
  private(set) var loadCount = 0
  private(set) var documentCount = 0
  private var loadedDocumentCount = 0
  /// The address that could not be loaded, if the browser shows an empty page instead.
  private(set) var unreachable: String?
  /// The lines of the console, each with its level and the message.
  ///
  /// The level of an uncaught error is `uncaught`.
  private var console: [String] = []
  /// The first uncaught error of the page's scripts.
  private(set) var uncaught: String?
  private var documentAddress: String?
  /// The first three addresses in the document that could not be loaded, each with the browser's reason.
  private(set) var failedRequests: [String] = []
  private(set) var contexts: [String: Int] = [:]

  init(mainFrame: String) {
    self.mainFrame = mainFrame
  }

  var isLoaded: Bool { loadedDocumentCount == documentCount }

  var consoleText: String { console.map { "\($0)\n" }.joined() }

  mutating func apply(_ event: Command) {
    let parameters = event.parameters
    switch event.method {
    case "Page.loadEventFired":
      loadCount += 1
      loadedDocumentCount = documentCount
    case "Page.frameNavigated":
      let address = parameters["frame"]?["unreachableUrl"]?.string
      if parameters["frame"]?["id"]?.string == mainFrame {
        documentCount += 1
        documentAddress = parameters["frame"]?["url"]?.string
        (unreachable, failedRequests) = (address, [])
      } else if let address {
        addFailure(of: address, "a frame without a response")
      }
    case "Runtime.consoleAPICalled":
      // A page that never stops must not fill the memory.
      let values = (parameters["args"]?.array ?? []).map(shown).joined(separator: " ")
      if console.count < 10_000 { console.append("\(parameters["type"]?.string ?? "log"): \(values)") }
    case "Runtime.exceptionThrown":
      let thrown = thrownError(parameters["exceptionDetails"])
      if console.count < 10_000 { console.append("uncaught: \(thrown)") }
      uncaught = uncaught ?? thrown
    case "Log.entryAdded":
      guard let entry = parameters["entry"], entry["source"] == "network", entry["level"] == "error",
        // A page for a status such as 404 may be what the test is for.
        entry["url"]?.string != documentAddress
      else { break }
      addFailure(
        of: entry["url"]?.string ?? "", (entry["text"]?.string ?? "").replacing("Failed to load resource: ", with: ""))
    case "Runtime.executionContextCreated":
      let context = parameters["context"]
      if context?["name"]?.string == Self.isolatedWorld, let id = context?["id"]?.integer,
        let frame = context?["auxData"]?["frameId"]?.string
      {
        contexts[frame] = id
      }
    case "Runtime.executionContextDestroyed":
      let id = parameters["executionContextId"]?.integer
      contexts = contexts.filter { $0.value != id }
    case "Runtime.executionContextsCleared": contexts = [:]
    default: break
    }
  }

  private mutating func addFailure(of address: String, _ reason: String) {
    let line = "\(address.withoutPassword.prefix(200)) (\(reason))"
    if failedRequests.count < 3, !failedRequests.contains(line) { failedRequests.append(line) }
  }
}
