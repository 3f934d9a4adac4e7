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
      site: AssertionSite(fileID: "T/T.swift", filePath: "/T/T.swift", line: 1, column: 1), test: currentTest())
    let outcome = SnapshotAssertions.verify({ changed }, as: .image, in: assertion)
    let pictures = try outcome.attachments.map { ($0.name, try Image(png: $0.data)) }
    #expect(pictures.map(\.0) == ["reference-page.1.png", "failure-page.1.png", "difference.png"])
    #expect(pictures[0].1 == white && pictures[1].1 == changed)
    #expect(pictures[2].1 != white && pictures[2].1 != changed)
  }

  @Test("an assertion of a masked image encodes it once, and decodes the reference only if its bytes differ")
  func decoding() throws {
    let folder = try TemporaryFolder()
    let white = try #require(Image(width: 64, height: 48, filledWith: .white))
    let (encoded, decoded) = (Count(), Count())
    let plain = Diffing<Image>.image
    let counting = Diffing<Image>(
      toData: { image in
        encoded.add()
        return plain.toData(image)
      },
      fromData: { data in
        decoded.add()
        return try plain.fromData(data)
      }, diff: plain.diff)
    func verify(_ image: Image) -> String? {
      verifySnapshot(
        of: image, as: Snapshotting(pathExtension: "png", diffing: counting), named: "page", record: .missing,
        snapshotDirectory: folder.path, testName: "page()")
    }
    let masked = white.masked([Image.Rect(x: 0, y: 0, width: 1, height: 1)])
    _ = verify(masked)
    let (recorded, read) = (encoded.number, decoded.number)
    for _ in 0..<3 { #expect(verify(masked) == nil) }
    #expect(encoded.number == recorded + 3)
    #expect(decoded.number == read)
    #expect(verify(white) != nil)
    #expect(decoded.number > read)
  }
}

/// `@unchecked Sendable`: read and written only while `lock` is held.
private final class Count: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  func add() { lock.withLock { count += 1 } }
  var number: Int { lock.withLock { count } }
}
