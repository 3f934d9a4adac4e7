/// The state of a tab: a value that events change.
struct TabState: Sendable {
  /// The name of the JavaScript context of this library's scripts, apart from those of the page.
  static let isolatedWorld = "WebSnapshotting"

  enum Effect: Hashable {
    /// Close a dialog, which blocks the page.
    case dismissDialog
    case decide(request: String, url: String, isDocument: Bool)
    case beginWorker(String)
    case endWorker(String)
    case fail(WebError)
  }

  let mainFrame: String
  private(set) var loadCount = 0
  private(set) var documentCount = 0
  private var loadedDocumentCount = 0
  private(set) var address = "about:blank"
  /// The browser's spelling of the page's address, without the fragment; `nil` if no request was intercepted.
  private(set) var pageAddress: String?
  /// The address that could not be loaded, if the browser shows an empty page instead.
  private(set) var unreachable: String?
  private(set) var console: [ConsoleMessage] = []
  private(set) var contexts: [String: Int] = [:]
  private(set) var frames: Set<String> = []
  private(set) var loadingFrames: Set<String> = []
  private(set) var requests: Set<String> = []
  private(set) var requestChanges = 0

  static let consoleLimit = 10_000
  static let consoleByteLimit = 1 << 20
  private var consoleBytes = 0

  init(mainFrame: String) {
    self.mainFrame = mainFrame
  }

  var isLoaded: Bool { loadedDocumentCount == documentCount }

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
