internal import Foundation

extension Tab {
  /// Loads a page, and returns after its load event.
  func load(_ page: WebPage, _ progress: CaptureProgress) async throws {
    beginUse(page)
    try await emulate(page)
    let loads = state.loadCount
    progress.wait(for: "the document")
    switch page.content {
    case .html(let text, baseURL: nil): try await setContent(text, progress)
    case .html(_, let url?), .url(let url), .file(let url):
      if let file = page.file { try file.checkReadable() }
      try await navigate(to: url)
      progress.wait(for: "the load event")
      try await wait { $0.loadCount > loads && $0.isLoaded }
    }
    try await withDocument(of: page, progress) {}
  }

  /// Nothing is sent if the page before had the same settings.
  private func emulate(_ page: WebPage) async throws {
    // A script can see the age of a used window.
    if hasUsedWindow, traits?.isInert != true { try await showEmptyPage() }
    let wanted = EmulationSettings(page)
    var commands = settings == wanted ? [] : wanted.commands
    if settings == nil, let now = page.now {
      commands.append(
        Command(
          "Page.addScriptToEvaluateOnNewDocument",
          ["source": .string(Scripts.freezing(now)), "runImmediately": true]))
    }
    if page.interceptsRequests { commands.append(Command("Fetch.enable", ["patterns": [["urlPattern": "*"]]])) }
    if page.waitsForNetwork { commands.append(Command("Network.enable")) }
    do {
      try await send(commands)
    } catch let refused as RefusedCommand where refused.method == "Emulation.setTimezoneOverride" {
      throw WebError(
        kind: .notFound,
        description:
          "Cannot use the time zone `\(page.timeZone)`: it is unknown. "
          + "Use a name of the IANA database, such as `Europe/Amsterdam`.")
    }
    settings = wanted
  }

  func showEmptyPage() async throws {
    let (frame, loads) = (target, state.loadCount)
    try await send("Page.navigate", ["url": "about:blank"])
    try await wait { $0.loadCount > loads && $0.isLoaded && $0.contexts[frame] != nil }
    // A page can set the name of the window until its end, and the name outlives the window.
    let context = Double(state.contexts[frame] ?? 0)
    try await send([
      Command("Runtime.evaluate", ["expression": "name = ''", "contextId": .number(context)]),
      Command("Page.resetNavigationHistory"),
    ])
  }

  private func setContent(_ text: String, _ progress: CaptureProgress) async throws {
    let (loads, document) = (state.loadCount, state.documentCount)
    try await send("Page.setDocumentContent", ["frameId": .string(target), "html": .string(text)])
    setDocument = document
    progress.wait(for: "the load event")
    try await wait { $0.loadCount > loads && $0.isLoaded }
  }

  private func navigate(to url: URL) async throws {
    let reply = try await withTaskCancellationHandler {
      // A command that is sent after the cancellation would not be stopped.
      try Task.checkCancellation()
      do {
        return try await send("Page.navigate", ["url": .string(url.absoluteString)])
      } catch let refused as RefusedCommand where refused.description.contains("invalid URL") {
        let reason =
          if let port = url.port, port > 65_535 {
            "the port \(port) is not from 1 to 65535. Correct the port."
          } else {
            "the browser does not accept the address. Check the host and the port."
          }
        throw WebError(kind: .cannotLoad, description: "Cannot load \(url.withoutPassword): \(reason)")
      }
    } onCancel: {
      // The browser inspects nothing while a navigation is pending.
      post("Page.stopLoading")
    }
    if let code = reply["errorText"]?.string, !code.isEmpty {
      let failure = LoadFailure(code)
      throw WebError(
        kind: .cannotLoad,
        description: "Cannot load \(url.withoutPassword): \(failure.cause) (\(code)). \(failure.advice)")
    }
  }
}

// MARK: Navigations of the page

extension Tab {
  /// Does work with the document of a page, and repeats it when the page navigates to another document.
  ///
  /// The time limit of the page bounds the repetitions.
  func withDocument<Value: Sendable>(
    of page: WebPage, _ progress: CaptureProgress, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    var noted = state.documentCount
    while true {
      let before = state.documentCount
      do {
        if try await reach(page, progress) {
          let document = state.documentCount
          // A page without scripts does not navigate.
          let value: Value? =
            traits?.isInert == true
            ? try await work()
            : try await first(
              { try await work() },
              or: {
                try await self.wait { $0.documentCount != document }
                return nil
              })
          if let value, state.documentCount == document { return value }
        }
      } catch let refused as RefusedCommand where refused.isOfNavigation || state.documentCount != before {
        // The document that the command was for has gone.
      } catch let error as WebError where error.kind == .notFound && state.documentCount != before {
        // The element was in another document.
      }
      try Task.checkCancellation()
      let documents = state.documentCount
      progress.restart(after: documents - noted)
      noted = documents
    }
  }

  /// Waits for the load event of the current document.
  ///
  /// - Returns: Whether the document is the page's. If not, it was replaced by the page's.
  private func reach(_ page: WebPage, _ progress: CaptureProgress) async throws -> Bool {
    if !state.isLoaded {
      progress.interruption = "the load event"
      try await wait { $0.isLoaded }
      progress.interruption = nil
    }
    try checkReachable(page)
    // Text without an address that reloads itself shows an empty document.
    if case .html(let text, baseURL: nil) = page.content, let setDocument, state.documentCount != setDocument,
      state.address == "about:blank"
    {
      try await setContent(text, progress)
      return false
    }
    if traits?.isInert != true { try await checkResponse() }
    return true
  }

  private func checkReachable(_ page: WebPage) throws(WebError) {
    let state = state
    guard let url = state.unreachable else { return }
    let bare = url.withoutFragment
    let isAllowed =
      page.interceptsRequests
      ? traits?.requests.decision(on: bare, isDocument: bare == state.pageAddress) != .refuse : page.network == .on
    let isElsewhere = state.pageAddress.map { $0 != bare } ?? (page.address?.canonical != bare.percentEncoded)
    let reason =
      if isAllowed {
        "there was no response. Check the address and the server."
      } else if bare.hasPrefix("file:") {
        "the file does not exist, or it is outside the page's folder. Check the path, or move the file into the folder."
      } else {
        "the page has no access to this address. "
          + "Capture that address instead, or give the page network access or a response for it."
      }
    let shown = URL(string: url)?.withoutPassword ?? url
    throw WebError(
      kind: .cannotLoad,
      description: "Cannot load \(shown)\(isElsewhere ? ", to which the page navigates" : ""): \(reason)")
  }

  /// Throws if the response has a failure status and no content.
  private func checkResponse() async throws {
    let (document, address) = (state.documentCount, state.address)
    guard address.hasPrefix("http"), checkedDocument != document else { return }
    if let status = try await call(Scripts.emptyFailure).integer {
      let shown = URL(string: address)?.withoutPassword ?? address
      throw WebError(
        kind: .cannotLoad,
        description:
          "Cannot load \(shown): the server returned status \(status) and no content. Check the server's log.")
    }
    checkedDocument = document
  }
}

extension RefusedCommand {
  /// Whether the command was refused because its document has gone.
  ///
  /// The browser has no error code for that.
  var isOfNavigation: Bool {
    let messages = [
      "Cannot find context with specified id", "Execution context was destroyed", "Inspected target navigated",
      "Cannot find default execution context", "Promise was collected", "Not attached to an active page",
    ]
    return messages.contains { message.localizedCaseInsensitiveContains($0) }
  }
}
