internal import Foundation

extension Tab {
  /// Waits for the conditions of a page, in order, and takes a picture of what it is to show then.
  func settledPicture(of page: WebPage, on clock: any Clock<Duration>, _ notes: ProgressNotes) async throws -> Data {
    // Fonts that are waited for at last are so in the script that comes before the picture, which saves a way there and back.
    let isShort = page.readiness.last == .fonts && state.worlds.count == 1
    try await settle(isShort ? page.readiness.dropLast() : page.readiness, of: page, on: clock, notes)
    notes.wait(for: isShort ? "\(WebPage.Readiness.fonts)" : "the picture is taken")
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
    try check(reply, "The condition `\(predicate)`")
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

  /// Takes a picture of what the page is to show.
  func picture(of page: WebPage) async throws -> Data {
    var selector = JSONValue.null
    if case .element(let wanted) = page.area { selector = .string(wanted) }
    let isWhole = page.area != .viewport
    let inFrames: [String: JSONValue] = [
      "awaitsFonts": .bool(page.readiness.contains(.fonts)), "animates": .bool(page.animates),
      "isWhole": .bool(isWhole), "masks": [],
    ]
    let options = inFrames.merging(["selector": selector, "masks": .array(page.masks.map { .string($0) })]) { $1 }
    let main = state.mainFrame
    for frame in state.worlds.keys.sorted() where frame != main {
      // A frame that went away meanwhile is none of the picture's.
      _ = try? await call(Scripts.preparing, [.object(inFrames)], in: frame)
    }
    let size = try await call(Scripts.preparing, [.object(options)])
    var parameters: [String: JSONValue] = ["format": "png", "optimizeForSpeed": true]
    if isWhole { parameters.merge(try clip(size, of: page)) { $1 } }
    return try await screenshot(.object(parameters))
  }

  func screenshot(_ parameters: JSONValue) async throws -> Data {
    let reply = try await send("Page.captureScreenshot", parameters)
    guard let text = reply["data"]?.string, let data = Data(base64Encoded: text), !data.isEmpty else {
      throw WebError(kind: .refused, description: "The browser answered with no picture.")
    }
    return data
  }

  private func clip(_ rectangle: JSONValue, of page: WebPage) throws(WebError) -> [String: JSONValue] {
    guard let x = rectangle["x"]?.number, let y = rectangle["y"]?.number, let width = rectangle["width"]?.number,
      let height = rectangle["height"]?.number
    else {
      let selector = if case .element(let selector) = page.area { selector } else { "html" }
      throw WebError(kind: .notFound, description: "No element of the page fits `\(selector)`.")
    }
    let what = if case .element(let selector) = page.area { "The element `\(selector)`" } else { "The page" }
    let longest = Double(WebPage.Viewport.longestSide)
    guard width >= 1, height >= 1, max(width, height) * page.viewport.scale <= longest else {
      throw WebError(
        kind: .notFound,
        description: "\(what) is of \(Int(width))×\(Int(height)) CSS pixels, at \(page.viewport.scale) pixels each: "
          + "no picture. Sides are of 1 to \(WebPage.Viewport.longestSide) pixels.")
    }
    return [
      "captureBeyondViewport": true,
      "clip": ["x": .number(x), "y": .number(y), "width": .number(width), "height": .number(height), "scale": 1],
    ]
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
    let reply = try await send(
      "Runtime.callFunctionOn",
      [
        "functionDeclaration": .string(function), "executionContextId": .number(Double(state.worlds[frame] ?? 0)),
        "arguments": .array(arguments.map { ["value": $0] }), "awaitPromise": true, "returnByValue": true,
      ])
    try check(reply, "A look at the page")
    return reply["result"]?["value"] ?? .null
  }

  private func check(_ reply: JSONValue, _ what: String) throws(WebError) {
    guard let details = reply["exceptionDetails"] else { return }
    throw WebError(
      kind: .notFound, description: "\(what) failed: \(ConsoleMessage(thrown: ["exceptionDetails": details]).text)")
  }
}
