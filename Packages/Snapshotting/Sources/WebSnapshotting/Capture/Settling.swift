internal import Foundation

extension Tab {
  /// Waits for the conditions of a page, in order, and takes a picture of what it is to show then.
  func settledPicture(of page: WebPage, on clock: any Clock<Duration>, _ notes: ProgressNotes) async throws -> Data {
    // Fonts that are waited for at last are so in the script that comes before the picture, which saves a way there and back.
    let isShort = page.readiness.last == .fonts && state.worlds.count == 1
    try await settle(isShort ? page.readiness.dropLast() : page.readiness, of: page, on: clock, notes)
    notes.wait(for: isShort ? "\(WebPage.Readiness.fonts) and the images" : "the images")
    return try await picture(of: page)
  }

  /// Waits for the conditions of a page, in order.
  func settle(
    _ conditions: [WebPage.Readiness], of page: WebPage, on clock: any Clock<Duration>, _ notes: ProgressNotes
  ) async throws {
    for condition in conditions {
      notes.wait(for: "\(condition)")
      switch condition {
      case .fonts: try await call(Scripts.fonts)
      case .selector(let selector): try await call(Scripts.presence, [.string(selector)])
      case .predicate(let predicate): try await waitFor(predicate: predicate)
      case .networkIdle(let duration): try await waitForIdleNetwork(duration, on: clock)
      case .stablePictures(let count): try await waitForStablePictures(count, page, notes)
      }
    }
  }

  /// Evaluates an expression of the page before each frame until it is true.
  private func waitFor(predicate: String) async throws {
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

  private func waitForIdleNetwork(_ duration: Duration, on clock: any Clock<Duration>) async throws {
    while true {
      try await wait { $0.requests.isEmpty }
      let changes = state.requestChanges
      try await clock.sleep(for: duration)
      if state.requestChanges == changes { return }
    }
  }

  private func waitForStablePictures(_ count: Int, _ page: WebPage, _ notes: ProgressNotes) async throws {
    var last: Data?
    var same = 0
    while same < count {
      let picture = try await picture(of: page)
      same = picture == last ? same + 1 : 1
      last = picture
      try Task.checkCancellation()
    }
  }

  func screenshot(_ parameters: JSONValue) async throws -> Data {
    let reply = try await send("Page.captureScreenshot", parameters)
    guard let text = reply["data"]?.string, let data = Data(base64Encoded: text), !data.isEmpty else {
      throw WebError(kind: .refused, description: "Cannot capture the page: the browser returned no picture.")
    }
    return data
  }

  /// What a script of this library says about the page.
  func text(of script: String) async throws -> String {
    try await call(script).string ?? ""
  }

  /// Calls a function of this library in a frame, the main one if `nil`, in a world where the page's scripts are not.
  @discardableResult
  func call(_ function: String, _ arguments: [JSONValue] = [], in frame: String? = nil) async throws -> JSONValue {
    let frame = frame ?? state.mainFrame
    try await wait { $0.worlds[frame] != nil }
    return try value(of: try await send([calling(function, arguments.map { ["value": $0] }, in: frame)])[0])
  }

  /// The command that calls a function of this library in a frame.
  ///
  /// - Parameter arguments: Values, or names of objects, as the browser wants them.
  func calling(_ function: String, _ arguments: [JSONValue], in frame: String) -> Command {
    Command(
      "Runtime.callFunctionOn",
      [
        "functionDeclaration": .string(function), "executionContextId": .number(Double(state.worlds[frame] ?? 0)),
        "arguments": .array(arguments), "awaitPromise": true, "returnByValue": true,
      ])
  }

  /// What a function of this library said.
  func value(of reply: JSONValue) throws(WebError) -> JSONValue {
    if let problem = problem(in: reply) {
      // The browser's text for an invalid or empty selector; there is no code.
      throw WebError(
        kind: .notFound,
        description: problem.contains("'querySelector")
          ? "Cannot find an element: the selector is invalid (\(problem)). Use a CSS selector, such as `#birds li`."
          : "Cannot inspect the page: \(problem). Check the page's scripts.")
    }
    return reply["result"]?["value"] ?? .null
  }

  /// What a script threw, without the full stop.
  private func problem(in reply: JSONValue) -> String? {
    guard let details = reply["exceptionDetails"] else { return nil }
    let text = ConsoleMessage(thrown: ["exceptionDetails": details]).text
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
