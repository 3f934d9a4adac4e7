import Foundation
import ImageSnapshotting
import SnapshotAssertions
import SnapshotStore
import Terminal
import TestSupport
import Testing
import WebSnapshotting

@testable import Snapshots

/// The references are in the build folder of this project, because only a failure in a project leaves a pending snapshot.
@Suite("Pending snapshots of pages", .timeLimit(.minutes(5))) struct PendingPageTests {
  private static let root = ProjectRoot.containing(ReferenceFiles.folder(of: "\(#filePath)"))
  private let store = PendingStore(root: Self.root)
  private let folder = "\(Self.root)/.build/pending-tests/\(UUID().uuidString)"

  private var pending: [PendingSnapshot] {
    store.contents().snapshots.filter { $0.reference.map { folder.hasSuffix(ReferenceFiles.folder(of: $0)) } == true }
  }

  private func page(_ color: String, left: Int) -> WebPage {
    var page = WebPage(
      html: """
        <body style="margin: 0"><div style="position: absolute; left: \(left)px; width: 20px; height: 20px; background: \(color)">
        """, viewport: .init(width: 80, height: 20))
    page.timeout = .seconds(60)
    return page
  }

  private func failure(of page: WebPage) async -> String? {
    let strategy = Snapshotting<WebPage, Image>.image(precision: 0.9, perceptualPrecision: 0.95)
    return await onThread {
      verifySnapshot(
        of: page, as: strategy, named: "page", record: .pending, snapshotDirectory: folder, timeout: 60,
        testName: "test()")
    }
  }

  @Test("a page leaves an image with its comparison, which the review uses") func left() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let reference = try await Browser.shared.png(of: page("rgb(0, 0, 0)", left: 0))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try reference.write(to: URL(filePath: "\(folder)/test.page.png"))
    #expect(await failure(of: page("rgb(1, 1, 1)", left: 20)) != nil)
    let snapshot = try #require(pending.first)
    #expect(snapshot.comparison == ["precision": "0.9", "perceptualPrecision": "0.95"])
    #expect(snapshot.details.hasSuffix(", perceptualPrecision: 0.95, precision: 0.9"))
    let difference = Difference(
      from: try store.reference(of: snapshot), to: try store.data(of: snapshot), pathExtension: "png",
      comparison: snapshot.comparison)
    #expect(difference.pictures.map(\.name) == ["reference", "new", "difference"])
    #expect(await failure(of: page("rgb(1, 1, 1)", left: 0)) == nil)
    try store.reject(snapshot)
  }

  @Test("pixels that match with the settings of the assertion are not counted in a review") func settings() throws {
    var pixels = [UInt8](repeating: 255, count: 10 * 10 * 4)
    let old = try #require(Image(width: 10, height: 10, pixels: pixels)).pngData()
    for offset in stride(from: 0, to: 200, by: 4) { pixels[offset] = 254 }
    for offset in stride(from: 200, to: 280, by: 4) { pixels[offset] = 0 }
    let new = try #require(Image(width: 10, height: 10, pixels: pixels)).pngData()
    let texts = [[:], ["perceptualPrecision": "0.98"]].map { settings in
      Difference(from: old, to: new, pathExtension: "png", comparison: settings).text(color: .none)
    }
    #expect(texts[0].contains("70 of 100 pixels") && texts[1].contains("20 of 100 pixels"))
  }
}
