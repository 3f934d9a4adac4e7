internal import Foundation
internal import ImageSnapshotting
internal import Parallel
internal import Snapshotting
internal import WebSnapshotting

extension TourContext {
  /// Changes a list, a picture and a page, and compares each with its original.
  func snapshots() async throws -> TourVisit {
    var exhibits = [try await changedList(), try changedBird()]
    if let browser { exhibits.append(try await changedPage(in: browser)) }
    return TourVisit(
      summary: "\(exhibits.count) changes found and marked", exhibits: exhibits)
  }

  private func changedList() async throws -> TourExhibit {
    let list = URL(string: "http://127.0.0.1/birds") ?? folder
    let birds = try Bird.decode(file("birds.json"), from: list).get()
    var changed = birds
    changed[1] = Bird(name: "Alpine swift", scientificName: "Tachymarptis melba", picture: birds[1].picture)
    let strategy = Snapshotting<[Bird], String>.readable
    let (old, new) = (try await strategy.snapshot(birds).value(), try await strategy.snapshot(changed).value())
    try require(strategy.diffing.diff(old, old) == nil, "The list differs from itself.")
    guard let (message, _) = strategy.diffing.diff(old, new) else {
      throw TourFailure(description: "The changed name was not found.")
    }
    return .lines("The list of birds, before and after one bird was replaced", message)
  }

  private func changedBird() throws -> TourExhibit {
    let old = try Image(png: file("common-kingfisher.png"))
    // A hat.
    let brim = Image.Rect(x: old.width / 2 - 24, y: 34, width: 48, height: 5)
    let crown = Image.Rect(x: old.width / 2 - 13, y: 12, width: 26, height: 22)
    return try comparison(of: old, and: old.masked([brim, crown]), "The kingfisher, without and with a hat")
  }

  private func changedPage(in browser: Browser) async throws -> TourExhibit {
    let viewport = WebPage.Viewport(width: 320, height: 200)
    let strategy = Snapshotting<WebPage, Image>.image(in: browser)
    func picture(_ name: String, _ color: String) async throws -> Image {
      let html = """
        <!DOCTYPE html><style>body { font: 20px 'DejaVu Sans'; margin: 24px; } b { color: \(color); }</style>
        <h1>Birds</h1><p>A <b>\(name)</b> was seen today.</p>
        """
      return try await strategy.snapshot(WebPage(html: html, viewport: viewport)).value()
    }
    let old = try await picture("puffin", "#1a56b0")
    let again = try await picture("puffin", "#1a56b0")
    try require(ImageComparison().difference(from: old, to: again) == nil, "The page differs from itself.")
    return try comparison(of: old, and: try await picture("hoopoe", "#b3261e"), "A page, before and after an edit")
  }

  private func comparison(of old: Image, and new: Image, _ caption: String) throws -> TourExhibit {
    guard let difference = ImageComparison().difference(from: old, to: new) else {
      throw TourFailure(description: "\(caption): the difference was not found.")
    }
    return .comparison(
      "\(caption). \(difference)", old: try old.pngData(), new: try new.pngData(),
      marked: try difference.image.pngData())
  }

  private func file(_ name: String) throws -> Data {
    try Data(contentsOf: Bundle.module.bundleURL.appending(path: "Birds").appending(path: name))
  }
}
