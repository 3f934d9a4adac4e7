internal import Foundation

extension Tab {
  /// Shows a page, and returns after its load event.
  ///
  /// - Throws: ``WebError``, `RefusedCommand`.
  func load(_ page: WebPage, _ notes: ProgressNotes) async throws {
    try await enter(page)
    let loads = state.loads
    notes.wait(for: "the document")
    switch page.content {
    case .html(let text, baseURL: nil): try await place(text, notes)
    case .html(_, let url?), .url(let url), .file(let url):
      if let file = page.file { try file.checkReadable() }
      try await navigate(to: url)
      notes.wait(for: "the load event")
      try await wait { $0.loads > loads && $0.isLoaded }
    }
    try await withDocument(of: page, notes) {}
  }

  /// Makes the tab the page's, if it is nobody's yet: what it shows then depends neither on a page before nor on whether there was one.
  func enterUnlessLoaded(_ page: WebPage) async throws {
    if !hasPage { try await enter(page) }
  }

  private func enter(_ page: WebPage) async throws {
    setPage(page)
    do {
      try await prepare(for: page)
    } catch let refused as RefusedCommand where refused.method == "Emulation.setTimezoneOverride" {
      throw WebError(
        kind: .notFound,
        description:
          "Cannot use the time zone `\(page.timeZone)`: it is unknown. "
          + "Use a name of the IANA database, such as `Europe/Amsterdam`.")
    }
  }

  private func navigate(to url: URL) async throws {
    let reply = try await withTaskCancellationHandler {
      // What is sent all the same, after the other one, would be on its way.
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
        throw WebError(kind: .cannotLoad, description: "Cannot load \(url.absoluteString): \(reason)")
      }
    } onCancel: {
      // As long as it is on its way, the browser answers nothing about what the tab shows.
      post("Page.stopLoading")
    }
    if let code = reply["errorText"]?.string, !code.isEmpty {
      let failure = LoadFailure(code)
      throw WebError(
        kind: .cannotLoad,
        description: "Cannot load \(url.absoluteString): \(failure.cause) (\(code)). \(failure.advice)")
    }
  }

  /// Makes the world of the tab the page's, which takes no time when it was that of the page before.
  private func prepare(for page: WebPage) async throws {
    var settings = settings
    if settings.hasOtherClock(than: page) {
      try await send(settings.removeClock())
      self.settings = settings
      try await showNothing()
    } else if hasUsedWindow, !isInert {
      try await showNothing()
    }
    let commands = settings.commands(for: page)
    let replies = try await send(commands + watching(page))
    settings.change(for: page, replies.prefix(commands.count))
    self.settings = settings
  }

  private func watching(_ page: WebPage) -> [Command] {
    let isWatched = page.readiness.contains { if case .networkIdle = $0 { true } else { false } }
    return isWatched ? [Command("Network.enable")] : []
  }
}

extension WebPage {
  /// Whether requests have to be decided on one by one.
  ///
  /// Text without a base URL needs not, when it has no network: its tab cannot reach any, and the browser lets no
  /// file into it.
  var interceptsRequests: Bool {
    switch (content, network) {
    case (.html(_, baseURL: nil), .off), (.html(_, baseURL: nil), .on): false
    case (.url(let url), .on): url.isFileURL
    default: true
    }
  }
}
