internal import Foundation
internal import ImageSnapshotting
internal import Parallel
internal import Snapshotting

extension Station {
  static let snapshots = Station(
    title: "Snapshot differences", packages: ["Snapshotting"],
    about: "Changes a list and a picture. The comparison describes and marks each difference."
  ) { tour in
    let exhibits = [try await changedList(tour), try changedBird()]
    return TourVisit(summary: "\(exhibits.count) changes found and marked", exhibits: exhibits)
  }

  private static func changedList(_ tour: TourContext) async throws -> TourExhibit {
    let birds = try BundledFiles.items("Birds/birds.json") as [Bird]
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
    let old = try Image(png: BundledFiles.data("Birds/common-kingfisher.png"))
    // A hat.
    let brim = Image.Rect(x: old.width / 2 - 24, y: 34, width: 48, height: 5)
    let crown = Image.Rect(x: old.width / 2 - 13, y: 12, width: 26, height: 22)
    let new = old.masked([brim, crown])
    guard let difference = ImageComparison().difference(from: old, to: new) else {
      throw DemoError("The hat of the kingfisher was not found.")
    }
    return .comparison(
      "The kingfisher, without and with a hat. \(difference)", old: try old.pngData(), new: try new.pngData(),
      marked: try difference.image.pngData())
  }
}
