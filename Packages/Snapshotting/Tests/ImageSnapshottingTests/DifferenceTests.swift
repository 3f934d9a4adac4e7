import Foundation
import ImageSnapshotting
import TestSupport
import Snapshotting
import Testing

@Suite("Reports of differences")
struct DifferenceTests {
  @Test("a report has both sizes, and the common area is compared")
  func sizes() throws {
    let old = try #require(Image(width: 40, height: 30, filledWith: .white))
    let new = try #require(Image(width: 41, height: 20, filledWith: .white))
    let difference = try #require(ImageComparison(precision: 0).difference(from: old, to: new))
    #expect("\(difference)" == "The reference is 40×30 pixels, the new image is 41×20.")
    #expect(difference.image.description == "41×30")
    #expect(difference.image[40, 0] == difference.image[0, 29])
    #expect(difference.image[40, 0] != difference.image[0, 0])
    let changed = new.masked([Image.Rect(x: 1, y: 2, width: 1, height: 1)])
    #expect(
      ImageComparison().difference(from: old, to: changed).map { "\($0)" } == """
        The reference is 40×30 pixels, the new image is 41×20. 1 of 800 pixels in the common area differs (0.125 %); the \
        largest ΔE is 100 at (1, 2). They are within 1×1 at (1, 2).
        """)
  }

  @Test("changed pixels near each other are in one region, distant ones in several, and the largest region is first")
  func regions() throws {
    let image = try #require(Image(width: 200, height: 100, filledWith: .white))
    let rects = [
      Image.Rect(x: 2, y: 2, width: 3, height: 3), Image.Rect(x: 100, y: 50, width: 20, height: 10),
      Image.Rect(x: 125, y: 50, width: 1, height: 1), Image.Rect(x: 199, y: 99, width: 1, height: 1),
    ]
    let difference = try #require(ImageComparison().difference(from: image, to: image.masked(rects)))
    #expect(
      difference.regions == [
        Image.Rect(x: 100, y: 50, width: 26, height: 10), rects[0], rects[3],
      ])
  }

  @Test("a report has at most five regions")
  func many() throws {
    let image = try #require(Image(width: 400, height: 20, filledWith: .white))
    let rects = (0..<8).map { Image.Rect(x: $0 * 50, y: 0, width: 8 - $0, height: 1) }
    let message = ImageComparison(precision: 0.9999).difference(from: image, to: image.masked(rects)).map { "\($0)" }
    #expect(
      message == """
        36 of 8000 pixels differ (0.45 %); the largest ΔE is 100 at (0, 0). They are in 8 regions: 8×1 at (0, 0), 7×1 \
        at (50, 0), 6×1 at (100, 0), 5×1 at (150, 0), 4×1 at (200, 0) and 3 smaller regions. 99.55 % match; \
        the required precision is 99.99 %.
        """)
  }

  @Test("every changed pixel is marked and is in a region, and no other pixel is marked")
  func marked() throws {
    try checkProperty(
      "marks are where pixels differ", count: 60, .image(width: 40, height: 3), .image(width: 40, height: 3)
    ) { one, other in
      guard let difference = ImageComparison().difference(from: one, to: other) else { return one == other }
      let picture = difference.image
      let red = Image.Pixel(red: 230, green: 0, blue: 40)
      return (0..<3).allSatisfy { y in
        (0..<40).allSatisfy { x in
          let isChanged = one[x, y] != other[x, y] && (one[x, y]?.alpha != 0 || other[x, y]?.alpha != 0)
          let isInside = difference.regions.contains { region in
            (region.x..<region.x + region.width).contains(x) && (region.y..<region.y + region.height).contains(y)
          }
          return (picture[x, y] == red) == isChanged && (!isChanged || isInside)
        }
      }
    }
  }

  @Test("differences in antialiasing can be ignored, and are counted and marked separately")
  func antialiasing() throws {
    // An edge between black and white with a grey column. The second image has another grey.
    func edge(_ grey: UInt8) throws -> Image {
      try #require(Image(width: 20, height: 20, filledWith: .white))
        .masked([Image.Rect(x: 0, y: 0, width: 10, height: 20)])
        .masked([Image.Rect(x: 10, y: 0, width: 1, height: 7)], with: Image.Pixel(red: grey, green: grey, blue: grey))
        .masked(
          [Image.Rect(x: 10, y: 7, width: 1, height: 1)],
          with: Image.Pixel(red: grey / 2, green: grey / 2, blue: grey / 2))
    }
    let (old, new) = (try edge(100), try edge(180))
    let smoothed = try #require(
      ImageComparison(ignoringAntialiasing: true, masks: [Image.Rect(x: 10, y: 0, width: 1, height: 6)])
        .difference(from: old, to: new.masked([Image.Rect(x: 3, y: 15, width: 1, height: 1)], with: .white)))
    #expect(smoothed.changedPixels == 1)
    #expect(smoothed.regions == [Image.Rect(x: 3, y: 15, width: 1, height: 1)])
    #expect(smoothed.antialiasedPixels == 2)
    #expect("\(smoothed)".hasSuffix("Ignored pixels that differ only in antialiasing: 2."))
    #expect(smoothed.image[10, 7] == Image.Pixel(red: 255, green: 200, blue: 0))
    #expect(smoothed.image[10, 3] == Image.Pixel(red: 190, green: 190, blue: 190))
    #expect(ImageComparison().difference(from: old, to: new)?.changedPixels == 8)
  }

  @Test("a moved or removed object is not antialiasing")
  func noAntialiasing() throws {
    let image = try #require(Image(width: 20, height: 20, filledWith: .white))
    let dot = image.masked([Image.Rect(x: 5, y: 5, width: 4, height: 4)])
    let moved = image.masked([Image.Rect(x: 7, y: 5, width: 4, height: 4)])
    #expect(ImageComparison(ignoringAntialiasing: true).difference(from: image, to: dot)?.changedPixels == 16)
    #expect(ImageComparison(ignoringAntialiasing: true).difference(from: dot, to: moved)?.changedPixels == 16)
  }

  @Test("a line of another colour between a dark and a light area is not antialiasing")
  func coloredLines() throws {
    func border(_ red: UInt8, _ green: UInt8, _ blue: UInt8) throws -> Image {
      try #require(Image(width: 20, height: 20, filledWith: .white))
        .masked([Image.Rect(x: 0, y: 0, width: 20, height: 10)], with: Image.Pixel(red: 20, green: 24, blue: 32))
        .masked(
          [Image.Rect(x: 0, y: 9, width: 20, height: 1)], with: Image.Pixel(red: red, green: green, blue: blue))
    }
    let (red, green, grey) = (try border(255, 0, 0), try border(0, 160, 0), try border(140, 142, 146))
    let comparison = ImageComparison(ignoringAntialiasing: true)
    for (one, other) in [(red, green), (grey, red), (green, grey)] {
      #expect(comparison.difference(from: one, to: other)?.changedPixels == 20)
      #expect(comparison.difference(from: other, to: one)?.changedPixels == 20)
    }
    // A line of grey may be antialiasing.
    #expect(comparison.difference(from: grey, to: try border(120, 122, 128)) == nil)
  }

  @Test("environments are not compared, and a report of a difference begins with those that differ")
  func environments() throws {
    var old = try #require(Image(width: 10, height: 10, filledWith: .white))
    var new = old
    old.environment = ["browser": "Chromium 141", "fonts": "DejaVu", "scale": "1"]
    new.environment = ["browser": "Chromium 142", "scale": "1"]
    #expect(ImageComparison().difference(from: old, to: new) == nil)
    let changed = new.masked([Image.Rect(x: 1, y: 1, width: 1, height: 1)])
    #expect(
      ImageComparison().difference(from: old, to: changed).map { "\($0)" } == """
        The images come from different environments: browser is Chromium 141 in the reference and Chromium 142 now; \
        fonts is DejaVu in the reference and unknown now. Take both images in the same environment before you look for \
        another cause. 1 of 100 pixels differs (1 %); the largest ΔE is 100 at (1, 1). They are within 1×1 at (1, 1).
        """)
    old.environment = [:]
    #expect(ImageComparison().difference(from: old, to: changed)?.description.hasPrefix("1 of 100") == true)
  }

  @Test("the picture of a failure has the reference, the marks and the new image, beside or below each other")
  func sideBySide() throws {
    let red = Image.Pixel(red: 230, green: 0, blue: 40)
    for (width, height, step) in [(20, 20, (28, 0)), (50, 10, (0, 18))] {
      let old = try #require(Image(width: width, height: height, filledWith: .white))
      let new = old.masked([Image.Rect(x: 3, y: 4, width: 1, height: 1)])
      let picture = try #require(ImageComparison().difference(from: old, to: new)).sideBySide
      #expect(picture[3, 4] == .white)
      #expect(picture[3 + step.0, 4 + step.1] == red)
      #expect(picture[3 + 2 * step.0, 4 + 2 * step.1] == .black)
      #expect((picture.width, picture.height) == (width + 2 * step.0, height + 2 * step.1))
    }
  }
}
