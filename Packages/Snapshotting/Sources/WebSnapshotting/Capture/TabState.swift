/// What is known about a tab: a value that events change.
struct TabState: Sendable {
  /// The name of the world in which this library's scripts run, beside the page's own.
  static let world = "WebSnapshotting"

  /// What has to be done about an event.
  enum Effect: Hashable {
    /// Close a dialog, which holds the page up.
    case dismissDialog
    /// Answer a request.
    case decide(request: String, url: String, isDocument: Bool)
    /// Set a worker's clock, and let it begin.
    case begin(worker: String)
    /// A worker has ended.
    case forget(worker: String)
    /// Nothing more can be had from this tab.
    case fail(WebError)
  }

  /// The frame of the page itself.
  let mainFrame: String
  /// How many times the page has been loaded to its end.
  private(set) var loads = 0
  /// How many documents the page has gone to.
  private(set) var documents = 0
  /// How many of them there were at the last load event.
  private var loadedDocuments = 0
  /// Where the document is.
  private(set) var address = "about:blank"
  /// What the page is to the browser, without the fragment: the first document that was asked for; `nil` if no request was held.
  ///
  /// Its address may be spelled in other ways (`127.1`, steps in the path), which only the browser knows all of.
  private(set) var pageAddress: String?
  /// What could not be loaded, in the place of which the browser shows an empty page.
  private(set) var unreachable: String?
  /// What the page wrote to the console, and the errors that it did not catch, in order.
  private(set) var console: [ConsoleMessage] = []
  /// The contexts in which this library's scripts run, by frame.
  private(set) var worlds: [String: Int] = [:]
  /// The frames of the page, without the one of the page itself.
  private(set) var frames: Set<String> = []
  /// Those of them that are on their way to a document.
  private(set) var loadingFrames: Set<String> = []
  /// The requests under way.
  private(set) var requests: Set<String> = []
  /// How many requests have begun or ended.
  private(set) var requestChanges = 0

  /// The most messages that are kept of a console.
  static let consoleLimit = 10_000
  /// The most bytes that they have together.
  static let consoleByteLimit = 1 << 20
  private var consoleBytes = 0

  /// - Parameter worlds: The contexts that are there already.
  init(mainFrame: String, worlds: [String: Int] = [:]) {
    self.mainFrame = mainFrame
    self.worlds = worlds
  }

  /// Whether the document that the page is at has been loaded to its end.
  var isLoaded: Bool { loadedDocuments == documents }

  /// Takes an event.
  mutating func apply(_ event: BrowserEvent) -> Effect? {
    let parameters = event.parameters
    switch event.method {
    case "Page.loadEventFired":
      loads += 1
      loadedDocuments = documents
    case "Page.frameNavigated":
      guard let frame = parameters["frame"], frame["id"]?.string == mainFrame else { break }
      documents += 1
      address = frame["url"]?.string ?? ""
      unreachable = frame["unreachableUrl"]?.string
    case "Page.frameAttached", "Page.frameDetached", "Page.frameStartedLoading", "Page.frameStoppedLoading":
      if let frame = parameters["frameId"]?.string, frame != mainFrame { note(frame, event.method) }
    case "Page.javascriptDialogOpening": return .dismissDialog
    case "Inspector.targetCrashed", "Inspector.detached": return .fail(.pageCrashed)
    case "Target.attachedToTarget": return parameters["sessionId"]?.string.map { .begin(worker: $0) }
    case "Target.detachedFromTarget": return parameters["sessionId"]?.string.map { .forget(worker: $0) }
    case "Runtime.consoleAPICalled": note(ConsoleMessage(called: parameters))
    case "Runtime.exceptionThrown": note(ConsoleMessage(thrown: parameters))
    case "Runtime.executionContextCreated":
      let context = parameters["context"]
      if context?["name"]?.string == Self.world, let id = context?["id"]?.integer,
        let frame = context?["auxData"]?["frameId"]?.string
      {
        worlds[frame] = id
      }
    case "Runtime.executionContextDestroyed":
      let id = parameters["executionContextId"]?.integer
      worlds = worlds.filter { $0.value != id }
    case "Runtime.executionContextsCleared": worlds = [:]
    case "Network.requestWillBeSent":
      if let id = parameters["requestId"]?.string, parameters["request"]?["url"]?.string?.hasPrefix("data:") != true {
        requests.insert(id)
        requestChanges += 1
      }
    case "Network.loadingFinished", "Network.loadingFailed":
      if let id = parameters["requestId"]?.string, requests.remove(id) != nil { requestChanges += 1 }
    case "Fetch.requestPaused":
      guard let id = parameters["requestId"]?.string, let url = parameters["request"]?["url"]?.string else {
        return nil
      }
      guard parameters["resourceType"]?.string == "Document", parameters["frameId"]?.string == mainFrame else {
        return .decide(request: id, url: url, isDocument: false)
      }
      let bare = String(url.prefix { $0 != "#" })
      pageAddress = pageAddress ?? bare
      return .decide(request: id, url: url, isDocument: bare == pageAddress)
    default: break
    }
    return nil
  }

  private mutating func note(_ frame: String, _ method: String) {
    switch method {
    case "Page.frameAttached": frames.insert(frame)
    case "Page.frameStartedLoading": loadingFrames.insert(frame)
    case "Page.frameStoppedLoading": loadingFrames.remove(frame)
    default: (_, _) = (frames.remove(frame), loadingFrames.remove(frame))
    }
  }

  /// Forgets what was written so far.
  mutating func forgetConsole() {
    console = []
    consoleBytes = 0
  }

  private mutating func note(_ message: ConsoleMessage) {
    guard console.count < Self.consoleLimit, consoleBytes < Self.consoleByteLimit else { return }
    let room = Self.consoleByteLimit - consoleBytes
    consoleBytes += message.text.utf8.count
    if console.count == Self.consoleLimit - 1 || message.text.utf8.count > room {
      let rest = String(decoding: message.text.utf8.prefix(room), as: UTF8.self)
      let cut = "… Console truncated: the limit is \(Self.consoleLimit) messages and 1 MiB."
      console.append(ConsoleMessage(level: message.level, text: rest + cut))
      consoleBytes = Self.consoleByteLimit
    } else {
      console.append(message)
    }
  }
}

extension WebError {
  static let windowClosed = WebError(
    kind: .cannotLoad,
    description: "Cannot capture the page: it closed its window. Remove the call of `window.close()`.")

  static let pageCrashed = WebError(
    kind: .pageCrashed,
    // The browser does not report the cause.
    description:
      "Cannot capture the page: its process crashed. Usual causes are elements nested thousands of levels deep, "
      + "scripts that use more than 512 MiB\(MemoryWatch.isPossible ? ", and pages that use more than 1 GiB" : ""). "
      + "Simplify the page.")
}
