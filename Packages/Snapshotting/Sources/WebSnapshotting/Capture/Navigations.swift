internal import Foundation

extension Tab {
  /// Does work with the document of a page; when the page goes to another document meanwhile, does it again there.
  ///
  /// Pages reload themselves and send their visitors on, and what is asked of a document that has gone is refused. How often that goes on
  /// is bounded by the time that the page may take.
  func withDocument<Value: Sendable>(
    of page: WebPage, _ notes: ProgressNotes, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    while true {
      let before = state.documents
      do {
        if try await arrive(at: page, notes) {
          let document = state.documents
          // What has no script goes nowhere by itself, and need not be watched.
          let value = isInert ? try await work() : try await whileIn(document, work)
          // Of two documents otherwise, one of which may be half there.
          if let value, state.documents == document { return value }
        }
      } catch let refused as RefusedCommand where refused.isOfNavigation || state.documents != before {
        // It has gone, or is going.
      } catch let error as WebError where error.kind == .notFound && state.documents != before {
        // It was looked for in what has gone.
      }
      try Task.checkCancellation()
      notes.noteNavigation()
    }
  }

  /// Does work until it is done or the page goes to another document, which is not always told to who asked something of the one before.
  ///
  /// - Returns: `nil` when the page went.
  private func whileIn<Value: Sendable>(
    _ document: Int, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value? {
    try await withThrowingTaskGroup(of: Value?.self) { group in
      defer { group.cancelAll() }
      group.addTask(executorPreference: BrowserExecutor.shared) { try await work() }
      group.addTask(executorPreference: BrowserExecutor.shared) {
        try await self.wait { $0.documents != document }
        return nil
      }
      return try await group.next() ?? nil
    }
  }

  /// Waits for the load event of the document that the page is at or goes to.
  ///
  /// - Returns: Whether it is the page's; where not, it was made so, and may go elsewhere meanwhile.
  /// - Throws: ``WebError`` when there is nothing to show.
  private func arrive(at page: WebPage, _ notes: ProgressNotes) async throws -> Bool {
    if !state.isLoaded {
      notes.interrupt(for: "the load event")
      try await wait { $0.isLoaded }
      notes.endInterruption()
    }
    try checkReached(page)
    // Text without an address that loads itself again would be nowhere.
    if case .html(let text, baseURL: nil) = page.content, let placedIn, state.documents != placedIn,
      state.address == "about:blank"
    {
      try await place(text, notes)
      return false
    }
    // What is inert is the text that was given, with an answer of this library's own.
    if !isInert { try await checkAnswer() }
    return true
  }

  /// Makes text the document, and waits for its load event.
  func place(_ text: String, _ notes: ProgressNotes) async throws {
    let (loads, document) = (state.loads, state.documents)
    try await send("Page.setDocumentContent", ["frameId": .string(state.mainFrame), "html": .string(text)])
    placedIn = document
    notes.wait(for: "the load event")
    try await wait { $0.loads > loads && $0.isLoaded }
  }

  /// Throws when the page went where the browser cannot follow, and shows an empty page.
  private func checkReached(_ page: WebPage) throws(WebError) {
    let state = state
    guard let url = state.unreachable else { return }
    let bare = String(url.prefix { $0 != "#" })
    let isGiven =
      page.interceptsRequests
      ? requests?.decision(on: bare, isDocument: bare == state.pageAddress) != .refuse : page.network == .on
    let isElsewhere =
      state.pageAddress.map { $0 != bare } ?? (page.address?.spelledByBrowser != bare.encodedAsInURL)
    let reason =
      if isGiven {
        "there was no response. Check the address and the server."
      } else if bare.hasPrefix("file:") {
        "the file does not exist, or it is outside the page's folder. Check the path, or move the file into the folder."
      } else {
        "the page has no access to this address. "
          + "Capture that address instead, or give the page network access or a response for it."
      }
    throw WebError(
      kind: .cannotLoad,
      description: "Cannot load \(url)\(isElsewhere ? ", to which the page navigates" : ""): \(reason)")
  }

  /// Throws when the server answered with a failure, and with nothing to show.
  private func checkAnswer() async throws {
    let (document, address) = (state.documents, state.address)
    guard address.hasPrefix("http"), answeredIn != document else { return }
    if let status = try await call(Scripts.emptyFailure).integer {
      throw WebError(
        kind: .cannotLoad,
        description:
          "Cannot load \(address): the server returned status \(status) and no content. Check the server's log.")
    }
    answeredIn = document
  }
}

extension RefusedCommand {
  /// Whether a command was refused since the document that it was about has gone.
  ///
  /// The browser has words for that, and no code.
  var isOfNavigation: Bool {
    let words = [
      "Cannot find context with specified id", "Execution context was destroyed", "Inspected target navigated",
      "Cannot find default execution context", "Promise was collected", "Not attached to an active page",
    ]
    return words.contains { message.localizedCaseInsensitiveContains($0) }
  }
}
