import Foundation
import ImageSnapshotting
import TestSupport
import SnapshotStore
import Snapshotting
import Testing

@testable import SnapshotAssertions

@Suite("Assertions of images")
struct AssertionTests {
  @Test("an assertion records an image as PNG, names the marked image of a failure, and accepts equal pixels")
  func artifacts() throws {
    let folder = try TemporaryFolder()
    let white = try #require(Image(width: 64, height: 48, filledWith: .white))
    let changed = white.masked([Image.Rect(x: 8, y: 8, width: 4, height: 4)])
    func verify(_ image: Image, named name: String = "page") -> String? {
      verifySnapshot(
        of: image, as: .image, named: name, record: .missing, snapshotDirectory: folder.path, testName: "page()")
    }
    #expect(verify(white)?.contains("Automatically recorded") == true)
    #expect(verify(white) == nil)
    let failure = try #require(verify(changed))
    #expect(failure.contains("16 of 3072 pixels differ (0.5208 %); the largest ΔE is 100 at (8, 8)."))
    try white.pngData().write(to: URL(filePath: folder.file("page.recorded.png")))
    #expect(verify(changed, named: "recorded")?.contains("/page.recorded.png.difference.png") == true)
    #expect(verify(white, named: "recorded") == nil)
    #expect(try Image(png: Data(contentsOf: URL(filePath: folder.file("page.page.png")))) == white)
    // The same image, written by another program.
    let file = PNGBuilder(
      width: 64, height: 48, kind: .init(code: 0, depth: 1), samples: Array(repeating: 1, count: 3_072))
    try file.data.write(to: URL(filePath: folder.file("page.page.png")))
    #expect(verify(white) == nil)
    try Data("no picture".utf8).write(to: URL(filePath: folder.file("page.page.png")))
    #expect(verify(white)?.contains("The file is not a PNG image") == true)
  }

  @Test("a failure attaches the reference, the new image and the marked difference")
  func attachments() throws {
    let folder = try TemporaryFolder()
    let white = try #require(Image(width: 64, height: 48, filledWith: .white))
    let changed = white.masked([Image.Rect(x: 8, y: 8, width: 4, height: 4)])
    try white.pngData().write(to: URL(filePath: folder.file("page.1.png")))
    let assertion = Assertion(
      record: .missing, snapshotDirectory: folder.path, timeout: 5, testName: "page()",
      site: AssertionSite(fileID: "T/T.swift", filePath: #filePath, line: 1, column: 1))
    let outcome = verifyBlocking({ changed }, as: .image, in: assertion)
    let pictures = try outcome.attachments.map { ($0.name, try Image(png: $0.data)) }
    #expect(pictures.map(\.0) == ["reference-page.1.png", "failure-page.1.png", "difference.png"])
    #expect(pictures[0].1 == white && pictures[1].1 == changed)
    #expect(pictures[2].1.width == 64 * 3 + 16)
  }

  @Test("settings with which no image or every image matches fail an assertion of equal images")
  func settings() throws {
    let folder = try TemporaryFolder()
    let white = try #require(Image(width: 64, height: 48, filledWith: .white))
    try white.pngData().write(to: URL(filePath: folder.file("page.page.png")))
    func failure(_ strategy: Snapshotting<Image, Image>) -> String {
      verifySnapshot(
        of: white, as: strategy, named: "page", record: .never, snapshotDirectory: folder.path, testName: "page()")
        ?? ""
    }
    #expect(failure(.image) == "")
    for precision in [Float.nan, -1, 2] {
      #expect(failure(.image(precision: precision)).contains("is not from 0 to 1"))
      #expect(failure(.image(perceptualPrecision: precision)).contains("is not from 0 to 1"))
    }
    let outside = Image.Rect(x: 64, y: 0, width: 4, height: 4)
    #expect(failure(.image(masks: [outside])).contains("Cannot mask 4×4 at (64, 0): it has no pixel of the image"))
    #expect(failure(.image(masks: [white.bounds])).contains("the masks cover all pixels of the image"))
  }
}
