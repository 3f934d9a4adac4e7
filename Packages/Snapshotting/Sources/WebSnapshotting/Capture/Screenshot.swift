internal import Foundation
internal import ImageSnapshotting

/// The image is decoded only if a part is covered, and encoded only for a file.
struct Screenshot: Sendable, Equatable {
  private let file: Data
  private let masks: [Image.Rect]
  private let scale: Double

  init(file: Data, masks: [Image.Rect], scale: Double) {
    (self.file, self.masks, self.scale) = (file, masks, scale)
  }

  func image() throws(WebError) -> Image {
    do throws(PNGError) {
      let image = try Image(png: file, scale: scale, limits: .page)
      return masks.isEmpty ? image : image.masked(masks, with: Image.Pixel(red: 255, green: 0, blue: 255))
    } catch {
      throw WebError(kind: .refused, description: "Cannot read the image of the page. \(error)")
    }
  }

  func png() throws -> Data { masks.isEmpty ? file : try image().pngData() }

  /// Whether two images show the same outside of the covered parts.
  static func == (one: Screenshot, other: Screenshot) -> Bool {
    if one.file == other.file { return one.masks == other.masks }
    guard !one.masks.isEmpty, one.masks == other.masks else { return false }
    return (try? one.image()) == (try? other.image())
  }
}

extension PNGLimits {
  /// The limit for the largest image of a page.
  static let page = PNGLimits(bytes: 4 * WebPage.Viewport.longestSide * WebPage.Viewport.longestSide)
}

extension Tab {
  func screenshots(of page: WebPage, _ count: Int) async throws -> [Screenshot] {
    let reports = try await prepareFrames(of: page)
    let main = reports[target] ?? FrameReport(.null)
    let (area, masks) = try await layout(reports, main, of: page)
    var parameters: [String: JSONValue] = ["format": "png", "optimizeForSpeed": true]
    if let area { parameters.merge(try clip(area, of: page)) { $1 } }
    let (origin, scale) = (area ?? main.window, page.viewport.scale)
    let covered = masks.map { $0.moved(-origin.x, -origin.y).pixels(scale) }
    var screenshots: [Screenshot] = []
    while screenshots.count < count {
      screenshots.append(Screenshot(file: try await picture(.object(parameters)), masks: covered, scale: scale))
    }
    return screenshots
  }

  func picture(_ parameters: JSONValue) async throws -> Data {
    let reply = try await send("Page.captureScreenshot", parameters)
    guard let text = reply["data"]?.string, let data = Data(base64Encoded: text), !data.isEmpty else {
      throw WebError(
        kind: .refused,
        description: "Cannot capture the page: the browser returned no image. Capture it again, or reduce its size.")
    }
    return data
  }

  /// Stops the animations of every frame, and reports the places of elements.
  private func prepareFrames(of page: WebPage) async throws -> [String: FrameReport] {
    let main = target
    try await wait { $0.contexts[main] != nil }
    let preparing = calling(Scripts.preparing, [["value": options(of: main, for: page)]], in: main)
    // A page without scripts has neither frames nor hidden shadow trees.
    guard traits?.isInert != true else { return [main: FrameReport(try value(of: try await send([preparing])[0]))] }
    while true {
      var (reports, contexts) = ([String: FrameReport](), [String: Int]())
      for frame in state.frames.sorted() {
        contexts[frame] = try await context(of: frame)
        reports[frame] = try await report(of: frame, in: contexts[frame], for: page)
      }
      let replies = try await send([
        calling(Scripts.preparing, [["value": options(of: main, for: page)]], in: main), Command("DOM.enable"),
        Command("DOM.performSearch", ["query": "<", "includeUserAgentShadowDOM": false]), Command("DOM.disable"),
      ])
      reports[main] = FrameReport(try value(of: replies[0]))
      let known = reports.values.reduce(0) { $0 + $1.elements }
      if replies[2]["resultCount"]?.integer != known || reports.values.contains(where: \.hasBrowserTrees) {
        contexts[main] = state.contexts[main]
        for (frame, trees) in try await hiddenTrees() {
          reports[frame] = try await report(of: frame, in: contexts[frame], for: page, with: trees)
        }
      }
      // Frames that were added or have navigated since then are not prepared.
      let (now, seen) = (state, contexts)
      let changed = now.frames.filter { seen[$0] == nil || now.contexts[$0] != seen[$0] }
      if changed.isEmpty { return reports }
      try await wait { $0.loadingFrames.isDisjoint(with: changed) }
    }
  }

  private func context(of frame: String) async throws -> Int? {
    if let context = state.contexts[frame] { return context }
    do {
      let parameters: JSONValue = ["frameId": .string(frame), "worldName": .string(TabState.isolatedWorld)]
      return try await send("Page.createIsolatedWorld", parameters)["executionContextId"]?.integer
    } catch is RefusedCommand where !state.frames.contains(frame) {
      return nil
    }
  }

  /// - Returns: `nil` if the frame was removed or has navigated.
  private func report(
    of frame: String, in context: Int?, for page: WebPage, with trees: [JSONValue] = []
  ) async throws -> FrameReport? {
    guard let context, state.contexts[frame] == context else { return nil }
    let arguments: [JSONValue] = [["value": options(of: frame, for: page)]] + trees.map { ["objectId": $0] }
    do {
      return FrameReport(try value(of: try await send([calling(Scripts.preparing, arguments, in: frame)])[0]))
    } catch is RefusedCommand where frame != target && state.contexts[frame] != context {
      return nil
    }
  }

  private func options(of frame: String, for page: WebPage) -> JSONValue {
    let selector: JSONValue = if case .element(let wanted) = page.area { .string(wanted) } else { .null }
    return [
      "awaitsFonts": .bool(page.readiness.contains(.fonts)), "animates": .bool(page.animates),
      "isInert": .bool(traits?.isInert == true), "isWhole": .bool(page.area != .viewport), "selector": selector,
      "masks": .array(page.masks.map { .string($0) }), "isMain": .bool(frame == target),
    ]
  }

  /// The shadow trees that scripts cannot find, as objects in the contexts of their frames.
  private func hiddenTrees() async throws -> [String: [JSONValue]] {
    let contexts = state.contexts
    // A flat list, because the browser cannot encode a tree with more than 150 levels.
    let replies = try await send([
      Command("DOM.enable"), Command("DOM.getFlattenedDocument", ["depth": -1, "pierce": true]), Command("DOM.disable"),
    ])
    var trees: [String: [JSONValue]] = [:]
    for (frame, node) in ShadowTrees(nodes: replies[1]["nodes"]?.array ?? [], mainFrame: target).hidden {
      guard let context = contexts[frame] else { continue }
      // A removed tree is in no image.
      let object = try? await send(
        "DOM.resolveNode", ["backendNodeId": node, "executionContextId": .number(Double(context))])
      if let id = object?["object"]?["objectId"] { trees[frame, default: []].append(id) }
    }
    return trees
  }

  /// The area of the image and the covered boxes, in coordinates of the page.
  private func layout(
    _ reports: [String: FrameReport], _ main: FrameReport, of page: WebPage
  ) async throws -> (area: Box?, masks: [Box]) {
    var (area, missing) = (main.area, main.missing)
    var masks = main.masks.map { $0.moved(main.window.x, main.window.y) }
    for (frame, report) in reports.sorted(by: { $0.key < $1.key }) where frame != target {
      guard !report.masks.isEmpty || report.area != nil || report.missing != nil else { continue }
      missing = missing ?? report.missing
      guard let quad = try await quad(of: frame) else { continue }
      let map = { (box: Box) in quad.map(box, of: report.window).moved(main.window.x, main.window.y) }
      masks += report.masks.map(map).filter { $0.width > 0 && $0.height > 0 }
      if area == nil, main.missing == nil { area = report.area.map(map) }
    }
    guard page.area != .viewport else { return (nil, masks) }
    let selector = if case .element(let selector) = page.area { selector } else { "html" }
    guard let area else {
      let reason = missing.map { "it \($0)." } ?? "no element of the page matches. Check the selector."
      throw WebError(kind: .notFound, description: "Cannot capture the element `\(selector)`: \(reason)")
    }
    return (area.snapped, masks)
  }

  /// The corners of a frame in the window; `nil` if the frame is not visible.
  private func quad(of frame: String) async throws -> FrameQuad? {
    do {
      let owner = try await send("DOM.getFrameOwner", ["frameId": .string(frame)])
      let model = try await send("DOM.getBoxModel", ["backendNodeId": owner["backendNodeId"] ?? .null])
      return FrameQuad(model["model"]?["content"]?.array?.compactMap(\.number) ?? [])
    } catch is RefusedCommand {
      return nil
    }
  }

  private func clip(_ box: Box, of page: WebPage) throws(WebError) -> [String: JSONValue] {
    let name = if case .element(let selector) = page.area { "the element `\(selector)`" } else { "the page" }
    let longest = Double(WebPage.Viewport.longestSide)
    guard box.width >= 1, box.height >= 1, max(box.width, box.height) * page.viewport.scale <= longest else {
      throw WebError(
        kind: .notFound,
        description:
          "Cannot capture \(name): its size is \(Int(box.width))×\(Int(box.height)) CSS pixels at scale \(page.viewport.scale). "
          + "A side must be at least 1 CSS pixel and, after scaling, at most \(WebPage.Viewport.longestSide) pixels.")
    }
    return [
      "captureBeyondViewport": true,
      "clip": [
        "x": .number(box.x), "y": .number(box.y), "width": .number(box.width), "height": .number(box.height),
        "scale": 1,
      ],
    ]
  }
}
