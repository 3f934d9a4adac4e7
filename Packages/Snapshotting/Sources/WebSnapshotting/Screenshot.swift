internal import Foundation

extension Tab {
  func screenshot() async throws -> Data {
    if page.area == .fullPage { try await expandWindow() }
    if page.area != .viewport { try await showFrames() }
    return try await settled("images", masks: page.masks) {
      var parameters: [String: JSONValue] = ["format": "png", "optimizeForSpeed": true]
      if page.area != .viewport { (parameters["clip"], parameters["captureBeyondViewport"]) = (try await area(), true) }
      return try await picture(.object(parameters))
    }
  }

  /// Prepares all frames, takes values until two in a row are equal, and returns the last one.
  ///
  /// A page without scripts is at rest at once. A page with running animations is never at rest.
  func settled<Value: Equatable>(
    _ values: String, masks: [String] = [], _ take: () async throws -> Value
  ) async throws -> Value {
    awaited = "the images and fonts"
    while true {
      let contexts = try await prepareFrames(masks)
      let first = try await take()
      // A frame that has navigated shows its elements without masks. The reply to the call follows the report of the navigation.
      try await call(page.isInert ? "() => true" : Scripts.frame)
      guard masks.isEmpty || state.contexts == contexts else { continue }
      if page.isInert || page.animates { return first }
      if try await take() == first { return first }
      awaited = "two equal \(values) in a row: stop what changes, mask it in an image, or set `animates` to true"
    }
  }

  func picture(_ parameters: JSONValue) async throws -> Data {
    let reply = try await send("Page.captureScreenshot", parameters)
    return Data(base64Encoded: reply["data"]?.string ?? "") ?? Data()
  }

  /// Makes the window as high as the content of scroll containers, if the page itself does not scroll.
  ///
  /// Containers grow with the window in most such pages. The loop ends when none grows, and at the maximum height of an image.
  private func expandWindow() async throws {
    let limit = Int(Double(WebPage.Viewport.longestSide) / page.viewport.scale)
    var (height, hidden) = (page.viewport.height, Int.max)
    // The rest does not shrink for a container of a fixed height, or content that grows with the window.
    while let rest = try await call(Scripts.hiddenHeight).integer, rest > 0, rest < hidden, height < limit {
      (height, hidden) = (min(height + rest, limit), rest)
      try await send("Emulation.setDeviceMetricsOverride", page.metrics(height: height))
    }
  }

  /// Makes the window as high as a page with frames of other origins, because the browser draws them only in the window.
  ///
  /// The window keeps its height if the height of an element depends on it.
  private func showFrames() async throws {
    let heights = try await call(Scripts.framedHeights)
    guard let height = heights.array?.first?.integer, height > page.viewport.height,
      Double(height) * page.viewport.scale <= Double(WebPage.Viewport.longestSide)
    else { return }
    try await send("Emulation.setDeviceMetricsOverride", page.metrics(height: height))
    if try await call(Scripts.framedHeights) != heights {
      try await send("Emulation.setDeviceMetricsOverride", page.metrics(height: page.viewport.height))
    }
  }

  /// Stops the animations of every frame, and covers the masked elements.
  ///
  /// - Returns: The JavaScript contexts of the prepared frames.
  private func prepareFrames(_ masks: [String]) async throws -> [String: Int] {
    while true {
      try await wait { [target] in $0.contexts[target] != nil }
      let contexts = state.contexts
      var masked: Set<Int> = []
      for frame in contexts.keys.filter({ $0 != target }) + [target] {
        masked.formUnion(try await prepare(frame, masks, in: contexts[frame] ?? 0))
      }
      // Frames that were added or have navigated since then are not prepared.
      guard state.contexts == contexts else { continue }
      guard let missing = masks.indices.first(where: { !masked.contains($0) }) else { return contexts }
      throw WebError.noElement("cover the mask `\(masks[missing])`")
    }
  }

  /// - Returns: The indices of the masks that match an element of the frame. None if the frame was removed or has navigated.
  private func prepare(_ frame: String, _ masks: [String], in context: Int) async throws -> [Int] {
    let options: JSONValue = [
      "animates": .bool(page.animates), "isInert": .bool(page.isInert), "isWhole": .bool(page.area != .viewport),
      "masks": .array(masks.map { .string($0) }), "isMain": .bool(frame == target), "styles": .string(page.styles),
    ]
    do {
      return try await call(Scripts.preparing, [options], in: context).array?.compactMap(\.integer) ?? []
    } catch is RefusedCommand where state.contexts[frame] != context {
      return []
    }
  }

  /// The area of an image that is not the window, in coordinates of the page.
  private func area() async throws -> JSONValue {
    let selector = if case .element(let selector) = page.area { selector } else { nil as String? }
    let name = selector.map { "the element `\($0)`" } ?? "the page"
    let area = try await call(Scripts.area, [selector.map { .string($0) } ?? .null])
    guard let width = area["width"]?.number, let height = area["height"]?.number else {
      throw WebError.noElement("capture \(name)")
    }
    guard width > 0, height > 0 else {
      throw WebError.notFound(
        "Cannot capture \(name): it has no box of at least 1 CSS pixel, or it is outside the page. Show it, or select another "
          + "element.")
    }
    guard max(width, height) * page.viewport.scale <= Double(WebPage.Viewport.longestSide) else {
      throw WebError.notFound(
        "Cannot capture \(name): it has \(width)×\(height) CSS pixels at scale \(page.viewport.scale). A side must be at most "
          + "\(WebPage.Viewport.longestSide) pixels after scaling. Lower `viewport.scale`, or capture an `.element`.")
    }
    return area
  }
}
