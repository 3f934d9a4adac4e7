internal import Foundation
internal import ImageSnapshotting
internal import Parallel
internal import Snapshotting
internal import WebSnapshotting

extension Station {
  static let snapshots = Station(
    title: "Snapshot differences", packages: ["Snapshotting"],
    about: "Changes a list, a picture and a page. The comparison describes and marks each difference."
  ) { tour in
    var exhibits = [try await changedList(tour), try changedBird()]
    if let browser = tour.browser { exhibits.append(try await changedPage(tour, in: browser)) }
    return TourVisit(summary: "\(exhibits.count) changes found and marked", exhibits: exhibits)
  }

  private static func changedList(_ tour: TourContext) async throws -> TourExhibit {
    let birds = try JSONDecoder().decode([Bird].self, from: file("birds.json"))
    var changed = birds
    (changed[1].name, changed[1].scientificName) = ("Alpine swift", "Tachymarptis melba")
    let strategy = Snapshotting<[Bird], String>.readable
    let (old, new) = (try await strategy.snapshot(birds).value(), try await strategy.snapshot(changed).value())
    try tour.require(strategy.diffing.diff(old, old) == nil, "The list differs from itself.")
    guard let (message, _) = strategy.diffing.diff(old, new) else {
      throw DemoError("The changed name was not found.")
    }
    return .lines("The list of birds, before and after one bird was replaced", message)
  }

  private static func changedBird() throws -> TourExhibit {
    let old = try Image(png: file("common-kingfisher.png"))
    // A hat.
    let brim = Image.Rect(x: old.width / 2 - 24, y: 34, width: 48, height: 5)
    let crown = Image.Rect(x: old.width / 2 - 13, y: 12, width: 26, height: 22)
    return try comparison(of: old, and: old.masked([brim, crown]), "The kingfisher, without and with a hat")
  }

  private static func changedPage(_ tour: TourContext, in browser: Browser) async throws -> TourExhibit {
    let strategy = Snapshotting<WebPage, Image>.image(in: browser)
    func picture(_ name: String, _ color: String) async throws -> Image {
      let html = """
        <!DOCTYPE html><style>body { font: 20px 'DejaVu Sans'; margin: 24px; } b { color: \(color); }</style>
        <h1>Birds</h1><p>A <b>\(name)</b> was seen today.</p>
        """
      let page = WebPage(html: html, viewport: WebPage.Viewport(width: 320, height: 200))
      return try await strategy.snapshot(page).value()
    }
    let old = try await picture("puffin", "#1a56b0")
    let again = try await picture("puffin", "#1a56b0")
    try tour.require(ImageComparison().difference(from: old, to: again) == nil, "The page differs from itself.")
    return try comparison(of: old, and: try await picture("hoopoe", "#b3261e"), "A page, before and after an edit")
  }

  private static func comparison(of old: Image, and new: Image, _ caption: String) throws -> TourExhibit {
    guard let difference = ImageComparison().difference(from: old, to: new) else {
      throw DemoError("\(caption): the difference was not found.")
    }
    return .comparison(
      "\(caption). \(difference)", old: try old.pngData(), new: try new.pngData(),
      marked: try difference.image.pngData())
  }

  private static func file(_ name: String) throws -> Data {
    try Data(contentsOf: BirdServer.folder.appending(path: name))
  }
}
