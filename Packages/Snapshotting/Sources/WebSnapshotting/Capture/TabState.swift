/// The state of a tab: a value that events change.
struct TabState: Sendable {
  /// The name of the JavaScript context of this library's scripts, apart from those of the page.
  static let isolatedWorld = "WebSnapshotting"

  /// The action that an event requires.
  enum Effect: Hashable {
    /// Close a dialog, which blocks the page.
    case dismissDialog
    /// Respond to a request.
    case decide(request: String, url: String, isDocument: Bool)
    /// Set a worker's clock, and let it run.
    case beginWorker(String)
    /// Remove the listener of a worker.
    case endWorker(String)
    /// Fail everything that waits for the tab.
    case fail(WebError)
  }

  /// The frame of the page itself.
  let mainFrame: String
  /// The number of load events.
  private(set) var loadCount = 0
  /// The number of navigations to another document.
  private(set) var documentCount = 0
  /// The value of ``documentCount`` at the last load event.
  private var loadedDocumentCount = 0
  /// The address of the document.
  private(set) var address = "about:blank"
  /// The browser's spelling of the page's address, without the fragment; `nil` if no request was intercepted.
  private(set) var pageAddress: String?
  /// The address that could not be loaded, if the browser shows an empty page instead.
  private(set) var unreachable: String?
  /// The console messages and uncaught errors, in order.
  private(set) var console: [ConsoleMessage] = []
  /// The JavaScript contexts of this library's scripts, by frame.
  private(set) var contexts: [String: Int] = [:]
  /// The frames of the page without its main frame.
  private(set) var frames: Set<String> = []
  /// The frames that load a document.
  private(set) var loadingFrames: Set<String> = []
  /// The requests in flight.
  private(set) var requests: Set<String> = []
  /// The number of requests that have begun or ended.
  private(set) var requestChanges = 0

  /// The maximum number of console messages.
  static let consoleLimit = 10_000
  /// The maximum number of bytes of all console messages.
  static let consoleByteLimit = 1 << 20
  private var consoleBytes = 0

  init(mainFrame: String) {
    self.mainFrame = mainFrame
  }

  /// Whether the current document has had its load event.
  var isLoaded: Bool { loadedDocumentCount == documentCount }

  /// Applies an event.
  mutating func apply(_ event: BrowserEvent) -> Effect? {
    let parameters = event.parameters
    switch event.method {
    case "Page.loadEventFired":
      loadCount += 1
      loadedDocumentCount = documentCount
    case "Page.frameNavigated":
      guard let frame = parameters["frame"], frame["id"]?.string == mainFrame else { break }
      documentCount += 1
      address = frame["url"]?.string ?? ""
      unreachable = frame["unreachableUrl"]?.string
    case "Page.frameAttached", "Page.frameDetached", "Page.frameStartedLoading", "Page.frameStoppedLoading":
      if let frame = parameters["frameId"]?.string, frame != mainFrame { note(frame, event.method) }
    case "Page.javascriptDialogOpening": return .dismissDialog
    case "Inspector.targetCrashed", "Inspector.detached": return .fail(.pageCrashed)
    case "Target.attachedToTarget": return parameters["sessionId"]?.string.map { .beginWorker($0) }
    case "Target.detachedFromTarget": return parameters["sessionId"]?.string.map { .endWorker($0) }
    case "Runtime.consoleAPICalled": note(ConsoleMessage(called: parameters))
    case "Runtime.exceptionThrown": note(ConsoleMessage(thrown: parameters))
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
    case "Network.requestWillBeSent":
      if let id = parameters["requestId"]?.string, parameters["request"]?["url"]?.string?.hasPrefix("data:") != true {
        requests.insert(id)
        requestChanges += 1
      }
    case "Network.loadingFinished", "Network.loadingFailed":
      if let id = parameters["requestId"]?.string, requests.remove(id) != nil { requestChanges += 1 }
    case "Fetch.requestPaused": return request(parameters)
    default: break
    }
    return nil
  }

  private mutating func request(_ parameters: JSONValue) -> Effect? {
    guard let id = parameters["requestId"]?.string, let url = parameters["request"]?["url"]?.string else { return nil }
    guard parameters["resourceType"]?.string == "Document", parameters["frameId"]?.string == mainFrame else {
      return .decide(request: id, url: url, isDocument: false)
    }
    let bare = String(url.prefix { $0 != "#" })
    pageAddress = pageAddress ?? bare
    return .decide(request: id, url: url, isDocument: bare == pageAddress)
  }

  private mutating func note(_ frame: String, _ method: String) {
    switch method {
    case "Page.frameAttached": frames.insert(frame)
    case "Page.frameStartedLoading": loadingFrames.insert(frame)
    case "Page.frameStoppedLoading": loadingFrames.remove(frame)
    default: (_, _) = (frames.remove(frame), loadingFrames.remove(frame))
    }
  }

  /// Removes all console messages.
  mutating func clearConsole() {
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
