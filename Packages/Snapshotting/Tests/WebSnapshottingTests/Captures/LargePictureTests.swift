import Foundation
import ImageSnapshotting
import Testing

@testable import WebSnapshotting

@Suite("An image of a large page", .timeLimit(.minutes(2)))
struct LargePictureTests {
  /// A file with a header and without pixels.
  ///
  /// The limit is checked before the pixels.
  private func file(_ width: UInt32, _ height: UInt32) throws -> Data {
    var file = try #require(Image(width: 1, height: 1, filledWith: .white)).pngData()
    for (offset, number) in [(16, width), (20, height)] {
      withUnsafeBytes(of: number.bigEndian) { file.replaceSubrange(offset..<offset + 4, with: $0) }
    }
    return file
  }

  @Test("the largest possible image is decoded, and a larger one is an error")
  func limits() throws {
    let longest = UInt32(WebPage.Viewport.longestSide)
    for (width, isPossible) in [(5_120, true), (longest, true), (longest + 1, false)] {
      let file = try file(width, longest)
      let words = isPossible ? "of compressed data" : "a higher limit"
      let error = #expect(throws: WebError.self) { try Screenshot(file: file, masks: [], scale: 1).image() }
      #expect(error?.description.contains(words) == true)
    }
  }
}
