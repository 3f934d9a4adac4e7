extension Tab {
  /// How many captures a context is used for: what a process forgets to free does not pile up.
  static let mostUses = 100

  /// How long the page before may hold up its successor, by a handler of its end that never ends: the capture that would get the
  /// context waits no longer, and gets a new one.
  static let emptyingLimit = Duration.seconds(1)

  /// Makes a tab of its context in which nothing is left of the page: a new document and window, without a name, a past, or
  /// scripts.
  ///
  /// It saves the start of a process, which takes longer than a capture. Only for tabs whose page ``PageTraits/leavesNothing``. The
  /// window of one that is inert and at no address stays, which takes a tenth of the time, for the next one that is.
  func successor() async throws -> Tab {
    let (state, keepsWindow) = (state, keepsWindow)
    let tab = Tab(
      browser, context: context, session: session, mainFrame: state.mainFrame, uses: uses + 1,
      origin: originNow, settings: settings,
      worlds: keepsWindow ? state.worlds : [:], hasUsedWindow: keepsWindow)
    tab.handleEvents()
    do {
      // A process that ended before the tab was listened to is told of once more, and answers nobody.
      browser.connection.post("Inspector.enable", session: session)
      try await bounded(Self.emptyingLimit, on: browser.clock, doing: "the tab to become empty") {
        try await tab.unlessItFails {
          if keepsWindow {
            guard try await tab.call(Scripts.emptying) == true else { throw WebError.cancelled }
            return
          }
          try await tab.showNothing()
        }
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
