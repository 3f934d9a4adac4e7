import Foundation
import ImageSnapshotting
import SnapshotAssertions
import SnapshotStore
import TerminalSnapshotting
import TerminalTesting
import TestSupport
import Testing
import WebSnapshotting

/// The images in the tutorial of the command, which show the real program.
///
/// Record them with `SNAPSHOT_TESTING_RECORD=all swift test --filter SessionPictureTests`.
@Suite("Images in the tutorial", .timeLimit(.minutes(5))) struct SessionPictureTests {
  private static let folder = URL(filePath: #filePath).appending(
    path: "../../../Sources/SnapshotAssertions/SnapshotAssertions.docc/Resources"
  ).standardizedFileURL.path

  /// The project of the tutorial: a changed text, and a changed image of three bars.
  private func project() throws -> Project {
    let project = try Project()
    let old = "Bird(\n  name: \"Puffin\",\n  grams: 500,\n  eats: [\"sand eels\"]\n)"
    let new = "Bird(\n  name: \"Atlantic puffin\",\n  grams: 500,\n  eats: [\"sand eels\", \"herring\"]\n)"
    try project.write(old, to: "Tests/BirdTests/__Snapshots__/BirdTests/puffin.1.txt")
    try project.leave(
      new, over: old, of: "Tests/BirdTests/__Snapshots__/BirdTests/puffin.1.txt",
      source: .init(file: "Tests/BirdTests/BirdTests.swift", line: 6, column: 17), test: "puffin()",
      suites: ["BirdTests"])
    let pictures = try [[10, 18, 24], [10, 22, 14]].map { try Self.chart($0).pngData() }
    let reference = "Tests/BirdTests/__Snapshots__/ChartTests/chart.1.png"
    try project.write(pictures[0], to: reference)
    let snapshot = PendingSnapshot(
      of: reference, over: pictures[0],
      source: .init(file: "Tests/BirdTests/ChartTests.swift", line: 8, column: 17), test: "chart()",
      suites: ["ChartTests"], comparison: ["perceptualPrecision": "0.98"], time: Date(timeIntervalSince1970: 0))
    try project.store.write(snapshot, pictures[1])
    return project
  }

  private static func chart(_ heights: [Int]) throws -> Image {
    let (scale, width, height) = (6, 40 * 6, 28 * 6)
    let colors: [[UInt8]] = [[91, 141, 217, 255], [92, 184, 92, 255], [217, 164, 65, 255]]
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let (column, bar) = (x / scale - 2, (x / scale - 2) / 13)
        let isInBar = column >= 0 && column % 13 < 10 && bar < heights.count && height - y <= heights[bar] * scale
        pixels += isInBar ? colors[bar] : [245, 245, 245, 255]
      }
    }
    return try #require(Image(width: width, height: height, pixels: pixels))
  }

  @Test("the images of a review match the program") func review() async throws {
    let terminal = try TerminalProcess(
      ["review"], in: try project(), columns: 124, rows: 14, environment: ["COLORTERM": "truecolor"])
    try await terminal.wait(for: "? help")
    try await check(WebPage(terminal.reader.screen), "text")
    terminal.type("a")
    try await terminal.wait(for: "difference")
    try await terminal.wait(for: "? help")
    terminal.resize(columns: 100, rows: 18)
    try await terminal.wait(for: "? help")
    try await check(WebPage(terminal.reader.screen), "picture")
    terminal.type("\u{3}")
    #expect(await terminal.ending() == 130)
  }

  @Test("the image of the report matches the program") func report() async throws {
    let project = try project()
    #expect(try await BuiltCommand.run(["report", "-o", "report"], in: project.root).status == 0)
    let file = URL(filePath: "\(project.root)/report/index.html")
    try await check(WebPage(file: file, viewport: .init(width: 1100, height: 900)), "report")
    #expect(project.names.count == 2)
  }

  /// Compares an image with a tolerance for antialiasing, which differs between versions of the browser.
  private func check(_ page: WebPage, _ name: String) async throws {
    var page = page
    page.timeout = .seconds(60)
    let picture = try Image(png: try await Browser.shared.png(of: page))
    let failure = verifySnapshot(
      of: picture, as: .image(precision: 0.99, perceptualPrecision: 0.97, ignoringAntialiasing: true), named: name,
      snapshotDirectory: Self.folder, testName: "review")
    #expect(failure == nil)
  }
}
