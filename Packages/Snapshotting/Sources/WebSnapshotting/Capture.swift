internal import Foundation
internal import Parallel
internal import Snapshotting

extension Tab {
  /// Loads a page, waits until it is ready, and takes a value from it.
  ///
  /// This starts again when the page navigates to another document. The time limit of the page bounds the repetitions.
  func capture<Value: Sendable>(
    _ page: WebPage, _ take: @escaping @Sendable (Tab) async throws -> Value
  ) async throws -> Value {
    try await load(page)
    while true {
      try await wait { $0.isLoaded }
      if let address = state.unreachable {
        throw WebError.navigation(
          to: address, failedBecause: "there is no response, or the page has no access to this address")
      }
      let value: Value? = try await whileShowing(state.documentCount) {
        try await self.waitForReadiness()
        self.awaited = "the snapshot"
        return try await take(self)
      }
      if let value { return value }
      awaited = "the load event of another document, to which the page went"
    }
  }

  /// Does work with a document.
  ///
  /// - Returns: `nil` if the page has navigated to another document.
  private func whileShowing<Value: Sendable>(
    _ document: Int, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value? {
    do {
      let value = try await withThrowingTaskGroup(of: Value?.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await work() }
        group.addTask {
          try await self.wait { $0.documentCount != document }
          return nil
        }
        return try await group.next() ?? nil
      }
      return state.documentCount == document ? value : nil
    } catch {
      // The browser may refuse a command before it reports the navigation.
      _ = try? await send("Runtime.evaluate", ["expression": "0"])
      guard !Task.isCancelled, state.documentCount != document || state.contexts[target] == nil else { throw error }
      try await wait { $0.documentCount != document }
      return nil
    }
  }

  // MARK: Loading

  private func load(_ page: WebPage) async throws {
    awaited = "the document"
    try await emulate(page)
    // The last page is removed. A document that exists has no touch events.
    if state.loadCount > 0 || page.isMobile {
      try await waitForLoad(after: "Page.navigate", ["url": "about:blank"])
    }
    switch page.content {
    case .html(let text, baseURL: nil):
      awaited = "the load event"
      try await waitForLoad(after: "Page.setDocumentContent", ["frameId": .string(target), "html": .string(text)])
    case .html(_, let url?), .url(let url):
      let loads = state.loadCount
      awaited = "a response of \(url.absoluteString.withoutPassword)"
      let reply = try await send("Page.navigate", ["url": .string(url.absoluteString)])
      if let code = reply["errorText"]?.string, !code.isEmpty {
        let cause = page.isOffline ? " because of `isOffline`" : ""
        throw WebError.navigation(to: url.absoluteString, failedBecause: "the browser reports \(code)\(cause)")
      }
      awaited = "the load event"
      try await wait { $0.loadCount > loads }
    }
  }

  private func waitForLoad(after method: String, _ parameters: JSONValue) async throws {
    let loads = state.loadCount
    try await send(method, parameters)
    try await wait { $0.loadCount > loads }
  }

  // MARK: Readiness

  private func waitForReadiness() async throws {
    for condition in page.readiness {
      switch condition {
      case .selector(let selector):
        awaited = "an element that matches `\(selector)`"
        try await wait(for: "(\(Scripts.element))(\(JSONValue.string(selector).text))", in: mainContext())
      case .predicate(let predicate):
        awaited = "the condition `\(predicate)`"
        try await wait(for: predicate)
      }
    }
  }

  /// Evaluates an expression before each frame until it is true.
  ///
  /// - Parameter context: The JavaScript context; `nil` for that of the page.
  private func wait(for expression: String, in context: JSONValue? = nil) async throws {
    var parameters: [String: JSONValue] = [
      "expression": .string(Scripts.waiting(for: expression)), "awaitPromise": true, "returnByValue": true,
    ]
    parameters["contextId"] = context
    let reply = try await send("Runtime.evaluate", .object(parameters))
    if let details = reply["exceptionDetails"] {
      throw WebError.notFound(
        "Cannot wait for \(awaited): \(thrownError(details)). Use a valid selector, such as `#birds li`, or a JavaScript "
          + "expression that throws no exception, such as `window.birds?.length > 0`.")
    }
  }

  // MARK: Values

  /// Returns the visible text of the page.
  func text() async throws -> String { try await settled("texts") { try await call(Scripts.text).string ?? "" } }

  /// Returns the warning of boxes for characters.
  func fontWarnings() async throws -> [String] {
    let missing = try await call(Scripts.missingCharacters).array?.compactMap(\.string).joined(separator: " ") ?? ""
    let warning =
      "The fonts of the page do not have characters such as \(missing), which are shown as boxes. Load a font in the page, or "
      + "install one and capture with `.image(in: Browser(.init(fonts: .system)))`."
    return missing.isEmpty ? [] : [warning]
  }

  /// The warnings of an uncaught error in a script of the page, and of failed requests.
  var warnings: [String] {
    let script = state.uncaught.map {
      "A script of the page threw an uncaught error: \($0). Correct the script. Cookies and storage need a `baseURL`."
    }
    let failed = page.isOffline ? "" : state.failedRequests.joined(separator: ", ")
    let requests =
      "Requests of the page failed, such as \(failed). Check the addresses, or give the page network access or a response for each."
    return [script, failed.isEmpty ? nil : requests].compactMap(\.self)
  }

  /// Collects an image and the console after a failure, within a second.
  func diagnostics() async -> [SnapshotAttachment] {
    let picture = try? await withTimeout(.seconds(1), on: browser.clock) { try await self.picture(["format": "png"]) }
    // The reply to the command above follows the messages of the page before it.
    let console = state.consoleText
    return (picture.map { [SnapshotAttachment(data: $0, name: "picture.png")] } ?? [])
      + (console.isEmpty ? [] : [SnapshotAttachment(string: console, name: "console.txt")])
  }

  /// Finds the first element of the main frame that matches a selector; `nil` without one.
  func element(_ selector: String) async throws -> JSONValue? {
    try await result(of: Scripts.element, [.string(selector)], ["executionContextId": mainContext()])["objectId"]
  }

  /// The JavaScript context of this library in the main frame.
  private func mainContext() async throws -> JSONValue {
    try await wait { [target] in $0.contexts[target] != nil }
    return .number(Double(state.contexts[target] ?? 0))
  }

  /// Calls a function of this library in a frame, apart from the page's scripts.
  ///
  /// - Throws: ``WebError`` if the function throws an exception.
  @discardableResult
  func call(_ function: String, _ arguments: [JSONValue] = [], in context: Int? = nil) async throws -> JSONValue {
    let main = try await mainContext()
    let place = ["executionContextId": context.map { .number(Double($0)) } ?? main, "returnByValue": true]
    return try await result(of: function, arguments, place)["value"] ?? .null
  }

  private func result(
    of function: String, _ arguments: [JSONValue], _ place: [String: JSONValue]
  ) async throws -> JSONValue {
    var parameters = place
    parameters["functionDeclaration"] = .string(function)
    parameters["arguments"] = .array(arguments.map { ["value": $0] })
    parameters["awaitPromise"] = true
    let reply = try await send("Runtime.callFunctionOn", .object(parameters))
    if let details = reply["exceptionDetails"] {
      throw WebError.notFound(
        "Cannot inspect the page: \(thrownError(details)). Check the selectors, and the page's scripts.")
    }
    return reply["result"] ?? .null
  }
}
