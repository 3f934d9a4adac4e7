internal import Foundation

extension Tab {
  func text(_ script: String, of page: WebPage, _ progress: CaptureProgress) async throws -> String {
    try await withDocument(of: page, progress) {
      try await self.waitForReadiness(page.readiness, of: page, progress)
      progress.wait(for: "the text of the document")
      return try await self.call(script).string ?? ""
    }
  }

  func console(of page: WebPage, _ progress: CaptureProgress) async throws -> String {
    try await withDocument(of: page, progress) {
      try await self.waitForReadiness(page.readiness, of: page, progress)
      return self.state.console.map { "\($0)\n" }.joined()
    }
  }

  /// An image of a page with scripts is repeated until two in a row are equal.
  ///
  /// A page with running animations is not at rest, so one image is enough.
  func screenshot(of page: WebPage, _ progress: CaptureProgress) async throws -> Screenshot {
    try await withDocument(of: page, progress) {
      // The script that prepares the image also waits for the fonts, which saves a round trip.
      let isLast = page.readiness.last == .fonts && self.state.contexts.count == 1
      let conditions = isLast ? page.readiness.dropLast() : page.readiness
      try await self.waitForReadiness(conditions, of: page, progress)
      let isAtRest = page.animates || self.traits?.isInert == true
      progress.wait(for: isLast ? "\(WebPage.Readiness.fonts) and the images" : "the images")
      if isAtRest { return try await self.screenshots(of: page, 1)[0] }
      let pictures = try await self.screenshots(of: page, 2)
      if pictures[0] == pictures[1] { return pictures[1] }
      progress.wait(
        for: "two equal frames in a row",
        advice: "The page never stops changing: stop its animation, cover it with `masks`, or set `animates` to true.")
      return try await self.stableScreenshot(of: page, count: 2)
    }
  }

  private func waitForReadiness(
    _ conditions: [WebPage.Readiness], of page: WebPage, _ progress: CaptureProgress
  ) async throws {
    for condition in conditions {
      progress.wait(for: "\(condition)")
      switch condition {
      case .fonts: try await call(Scripts.fonts)
      case .selector(let selector): try await call(Scripts.presence, [.string(selector)])
      case .predicate(let predicate): try await wait(forPredicate: predicate)
      case .networkIdle(let duration): try await waitForIdleNetwork(duration)
      case .stableImages(let count): _ = try await stableScreenshot(of: page, count: count)
      }
    }
  }

  /// Evaluates an expression of the page before each frame until it is true.
  private func wait(forPredicate predicate: String) async throws {
    let reply = try await send(
      "Runtime.evaluate",
      ["expression": .string(Scripts.waiting(for: predicate)), "awaitPromise": true, "returnByValue": true])
    if let problem = problem(in: reply) {
      throw WebError(
        kind: .notFound,
        description: "Cannot evaluate the condition `\(predicate)`: \(problem). "
          + "Use a JavaScript expression that throws no exception, such as `window.birds?.length > 0`.")
    }
  }

  private func waitForIdleNetwork(_ duration: Duration) async throws {
    while true {
      try await wait { $0.requests.isEmpty }
      let changes = state.requestChanges
      try await clock.sleep(for: duration)
      if state.requestChanges == changes { return }
    }
  }

  private func stableScreenshot(of page: WebPage, count: Int) async throws -> Screenshot {
    let count = max(count, 1)
    var last: Screenshot?
    var equal = 0
    while true {
      for picture in try await screenshots(of: page, min(count, 2)) {
        equal = picture == last ? equal + 1 : 1
        last = picture
      }
      if let last, equal >= count { return last }
      try Task.checkCancellation()
    }
  }
}

// MARK: Scripts

extension Tab {
  /// Calls a function of this library in a frame, apart from the page's scripts.
  @discardableResult
  func call(_ function: String, _ arguments: [JSONValue] = [], in frame: String? = nil) async throws -> JSONValue {
    let frame = frame ?? target
    try await wait { $0.contexts[frame] != nil }
    return try value(of: try await send([calling(function, arguments.map { ["value": $0] }, in: frame)])[0])
  }

  func calling(_ function: String, _ arguments: [JSONValue], in frame: String) -> Command {
    Command(
      "Runtime.callFunctionOn",
      [
        "functionDeclaration": .string(function), "executionContextId": .number(Double(state.contexts[frame] ?? 0)),
        "arguments": .array(arguments), "awaitPromise": true, "returnByValue": true,
      ])
  }

  func value(of reply: JSONValue) throws(WebError) -> JSONValue {
    if let problem = problem(in: reply) {
      // The browser reports an invalid selector by its message only.
      throw WebError(
        kind: .notFound,
        description: problem.contains("'querySelector")
          ? "Cannot find an element: the selector is invalid (\(problem)). Use a CSS selector, such as `#birds li`."
          : "Cannot inspect the page: \(problem). Check the page's scripts.")
    }
    return reply["result"]?["value"] ?? .null
  }

  /// The exception of a script, without its full stop.
  private func problem(in reply: JSONValue) -> String? {
    guard let details = reply["exceptionDetails"] else { return nil }
    let text = ConsoleMessage(thrown: ["exceptionDetails": details]).text
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
