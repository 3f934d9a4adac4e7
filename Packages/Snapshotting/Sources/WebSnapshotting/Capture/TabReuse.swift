extension WebPage {
  /// Whether a page leaves nothing in its context for another to find.
  ///
  /// Text without a base URL has no origin under which anything could be stored, and without a network there is nothing to be
  /// kept in a cache.
  var leavesNothing: Bool {
    guard case .html(_, baseURL: nil) = content, network == .off else { return false }
    return !readiness.contains { if case .networkIdle = $0 { true } else { false } }
  }

  /// Whether a page leaves nothing in its window but its own elements.
  var isInert: Bool {
    guard case .html(let text, baseURL: nil) = content, leavesNothing else { return false }
    return !readiness.contains { if case .predicate = $0 { true } else { false } } && InertText.isInert(text)
  }
}

extension Tab {
  /// How many captures a context is used for: what a process forgets to free does not pile up.
  static let mostUses = 100

  /// Makes a tab of its context in which nothing is left of the page: a new document and window, without a name, a past, or
  /// scripts.
  ///
  /// It saves the start of a process, which takes longer than a capture. Only for tabs whose page ``WebPage/leavesNothing``. The
  /// window of one that is inert stays, which takes a tenth of the time, for the next one that is.
  func successor() async throws -> Tab {
    let (state, keepsWindow) = (state, isInert)
    let tab = Tab(
      browser, context: context, session: session, mainFrame: state.mainFrame, uses: uses + 1, settings: settings,
      worlds: keepsWindow ? state.worlds : [:], hasUsedWindow: keepsWindow)
    tab.handleEvents()
    do {
      try await bounded(.seconds(10), on: ContinuousClock(), doing: "the tab is empty") {
        if keepsWindow {
          guard try await tab.call(Scripts.emptying) == true else { throw WebError.cancelled }
          return
        }
        try await tab.showNothing()
      }
      return tab
    } catch {
      tab.dispose()
      throw error
    }
  }

  /// Puts an empty document in an empty window in the place of what is shown.
  func showNothing() async throws {
    let (frame, loads) = (state.mainFrame, state.loads)
    try await send("Page.navigate", ["url": "about:blank"])
    try await wait { $0.loads > loads && $0.isLoaded && $0.worlds[frame] != nil }
    // The name outlives the window, and a page can set it until its last moment.
    try await send([
      Command(
        "Runtime.evaluate", ["expression": "name = ''", "contextId": .number(Double(state.worlds[frame] ?? 0))]),
      Command("Page.resetNavigationHistory"),
    ])
    // What the page before wrote in its last moment.
    forgetConsole()
  }
}
