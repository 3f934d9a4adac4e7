internal import Foundation
internal import ImageSnapshotting

extension Tab {
  /// Takes a picture of what the page is to show.
  func picture(of page: WebPage) async throws -> Data {
    let reports = try await stillReports(of: page)
    let main = reports[state.mainFrame] ?? FrameReport(.null)
    let (area, masks) = try await places(reports, main, of: page)
    var parameters: [String: JSONValue] = ["format": "png", "optimizeForSpeed": true]
    if let area { parameters.merge(try clip(area, of: page)) { $1 } }
    let picture = try await screenshot(.object(parameters))
    guard !masks.isEmpty else { return picture }
    let origin = area ?? main.window
    return try cover(masks.map { $0.moved(-origin.x, -origin.y).pixels(page.viewport.scale) }, of: picture)
  }

  /// Brings every frame of the page to a stand, and says what is where.
  private func stillReports(of page: WebPage) async throws -> [String: FrameReport] {
    let main = state.mainFrame
    try await wait { $0.worlds[main] != nil }
    // What harmless text is made of has no frame, and no tree that a script cannot see.
    guard !isInert else {
      let reply = try await send([calling(Scripts.preparing, [["value": options(of: main, for: page)]], in: main)])[0]
      return [main: FrameReport(try value(of: reply))]
    }
    while true {
      var (reports, worlds) = ([String: FrameReport](), [String: Int]())
      for frame in state.frames.sorted() {
        worlds[frame] = try await world(of: frame)
        reports[frame] = try await report(of: frame, in: worlds[frame], for: page)
      }
      let replies = try await send([
        calling(Scripts.preparing, [["value": options(of: main, for: page)]], in: main), Command("DOM.enable"),
        Command("DOM.performSearch", ["query": "<", "includeUserAgentShadowDOM": false]), Command("DOM.disable"),
      ])
      reports[main] = FrameReport(try value(of: replies[0]))
      let known = reports.values.reduce(0) { $0 + $1.elements }
      if replies[2]["resultCount"]?.integer != known || reports.values.contains(where: \.hasInside) {
        worlds[main] = state.worlds[main]
        for (frame, trees) in try await closedTrees() {
          reports[frame] = try await report(of: frame, in: worlds[frame], for: page, with: trees)
        }
      }
      // A frame that came meanwhile, or went to another document, has not been looked at.
      let (now, seen) = (state, worlds)
      let restless = now.frames.filter { seen[$0] == nil || now.worlds[$0] != seen[$0] }
      if restless.isEmpty { return reports }
      try await wait { $0.loadingFrames.isDisjoint(with: restless) }
    }
  }

  /// The context of this library's scripts in a frame; `nil` when the frame has gone.
  private func world(of frame: String) async throws -> Int? {
    if let world = state.worlds[frame] { return world }
    do {
      let parameters: JSONValue = ["frameId": .string(frame), "worldName": .string(TabState.world)]
      return try await send("Page.createIsolatedWorld", parameters)["executionContextId"]?.integer
    } catch is RefusedCommand where !state.frames.contains(frame) {
      return nil
    }
  }

  /// - Returns: `nil` when the frame has gone, or has gone to another document.
  private func report(
    of frame: String, in world: Int?, for page: WebPage, with trees: [JSONValue] = []
  ) async throws -> FrameReport? {
    guard let world, state.worlds[frame] == world else { return nil }
    let arguments: [JSONValue] = [["value": options(of: frame, for: page)]] + trees.map { ["objectId": $0] }
    do {
      return FrameReport(try value(of: try await send([calling(Scripts.preparing, arguments, in: frame)])[0]))
    } catch is RefusedCommand where frame != state.mainFrame && state.worlds[frame] != world {
      return nil
    }
  }

  private func options(of frame: String, for page: WebPage) -> JSONValue {
    let selector: JSONValue = if case .element(let wanted) = page.area { .string(wanted) } else { .null }
    return [
      "awaitsFonts": .bool(page.readiness.contains(.fonts)), "animates": .bool(page.animates),
      "isInert": .bool(isInert), "isWhole": .bool(page.area != .viewport), "selector": selector,
      "masks": .array(page.masks.map { .string($0) }), "isMain": .bool(frame == state.mainFrame),
    ]
  }

  /// The shadow trees that no script can find, as objects of their frames' worlds.
  private func closedTrees() async throws -> [String: [JSONValue]] {
    let worlds = state.worlds
    // A flat list: the browser cannot encode a tree that is nested more deeply than 150 elements.
    let replies = try await send([
      Command("DOM.enable"), Command("DOM.getFlattenedDocument", ["depth": -1, "pierce": true]), Command("DOM.disable"),
    ])
    let found = ShadowTrees(nodes: replies[1]["nodes"]?.array ?? [], mainFrame: state.mainFrame).hidden
    var trees: [String: [JSONValue]] = [:]
    for (frame, node) in found.map({ ($0.frame, $0.node) }) {
      guard let world = worlds[frame] else { continue }
      // One that went away meanwhile is in no picture.
      let object = try? await send(
        "DOM.resolveNode", ["backendNodeId": node, "executionContextId": .number(Double(world))])
      if let id = object?["object"]?["objectId"] { trees[frame, default: []].append(id) }
    }
    return trees
  }

  /// What the picture shows, and what is covered, in coordinates of the page.
  private func places(
    _ reports: [String: FrameReport], _ main: FrameReport, of page: WebPage
  ) async throws -> (area: FrameReport.Box?, masks: [FrameReport.Box]) {
    var (area, missing) = (main.area, main.missing)
    var masks = main.masks.map { $0.moved(main.window.x, main.window.y) }
    for (frame, report) in reports.sorted(by: { $0.key < $1.key }) where frame != state.mainFrame {
      guard !report.masks.isEmpty || report.area != nil || report.missing != nil else { continue }
      missing = missing ?? report.missing
      guard let quad = try await quad(of: frame) else { continue }
      let place = { (box: FrameReport.Box) in
        quad.place(box, of: report.window).moved(main.window.x, main.window.y)
      }
      masks += report.masks.map(place).filter { $0.width > 0 && $0.height > 0 }
      if area == nil, main.missing == nil { area = report.area.map(place) }
    }
    guard page.area != .viewport else { return (nil, masks) }
    let selector = if case .element(let selector) = page.area { selector } else { "html" }
    guard let area else {
      let reason = missing.map { "it \($0)." } ?? "no element of the page matches. Check the selector."
      throw WebError(kind: .notFound, description: "Cannot capture the element `\(selector)`: \(reason)")
    }
    return (area.snapped, masks)
  }

  /// Where a frame is; `nil` if it does not show.
  private func quad(of frame: String) async throws -> FrameQuad? {
    do {
      let owner = try await send("DOM.getFrameOwner", ["frameId": .string(frame)])
      let model = try await send("DOM.getBoxModel", ["backendNodeId": owner["backendNodeId"] ?? .null])
      return FrameQuad(model["model"]?["content"]?.array?.compactMap(\.number) ?? [])
    } catch is RefusedCommand {
      return nil
    }
  }

  private func clip(_ box: FrameReport.Box, of page: WebPage) throws(WebError) -> [String: JSONValue] {
    let what = if case .element(let selector) = page.area { "the element `\(selector)`" } else { "the page" }
    let longest = Double(WebPage.Viewport.longestSide)
    guard box.width >= 1, box.height >= 1, max(box.width, box.height) * page.viewport.scale <= longest else {
      throw WebError(
        kind: .notFound,
        description:
          "Cannot capture \(what): its size is \(Int(box.width))×\(Int(box.height)) CSS pixels at scale \(page.viewport.scale). "
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

  /// Paints over parts of a picture, where no style of the page has a say.
  private func cover(_ masks: [Image.Rect], of png: Data) throws(WebError) -> Data {
    do throws(PNGError) {
      let color = Image.Pixel(red: 255, green: 0, blue: 255)
      return try Image(png: png, limits: .page).masked(masks, with: color).pngData()
    } catch {
      throw WebError(kind: .refused, description: "Cannot read the picture of the page. \(error)")
    }
  }
}
