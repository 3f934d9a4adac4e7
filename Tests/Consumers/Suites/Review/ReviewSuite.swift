// Scripts/check-suites runs these tests in a copy, which it rewrites. No target contains this file.

import Foundation
import ImageSnapshotting
import SnapshotAssertions
import Testing

@Suite struct ReviewSuite {
  let bird = ProcessInfo.processInfo.environment["BIRD"] ?? "puffin"

  @Test func text() { assertSnapshot(of: "A \(bird)\nflies", as: .lines) }

  @Test func inline() { assertInlineSnapshot(of: "A \(bird)", as: .lines) }

  @Test func picture() throws {
    let level = UInt8(bird.utf8.count)
    let pixel = Image.Pixel(red: level * 20, green: 0, blue: 0)
    assertSnapshot(of: try #require(Image(width: 8, height: 8, filledWith: pixel)), as: .image)
  }
}
