import Foundation
import ImageSnapshotting
import TestSupport
import Snapshotting
import Testing

@Suite("Precision")
struct PrecisionTests {
  private func white(_ width: Int = 10, _ height: Int = 10) throws -> Image {
    try #require(Image(width: width, height: height, filledWith: .white))
  }

  private func changed(_ image: Image, _ count: Int, to pixel: Image.Pixel = .black) -> Image {
    let rows = Image.Rect(x: 0, y: 0, width: image.width, height: count / image.width)
    let rest = Image.Rect(x: 0, y: count / image.width, width: count % image.width, height: 1)
    return image.masked([rows, rest], with: pixel)
  }

  @Test("images match exactly if the share of equal pixels is at least the precision")
  func share() throws {
    let image = try white()
    for count in 1...99 {
      let other = changed(image, count)
      let enough = Float(100 - count) / 100
      #expect(Diffing<Image>.image(precision: enough).diff(image, other) == nil, "\(count) of 100")
      #expect(Diffing<Image>.image(precision: enough + 0.001).diff(image, other) != nil, "\(count) of 100")
    }
    #expect(Diffing<Image>.image(precision: 0).diff(image, changed(image, 100)) == nil)
    #expect(Diffing<Image>.image.diff(image, changed(image, 1)) != nil)
  }

  @Test("a perceptual precision accepts pixels with a small ΔE only")
  func perceptual() throws {
    // The ΔE of greys is the difference of their lightness: 100 and 99.05.
    let image = try white()
    let other = changed(image, 100, to: Image.Pixel(red: 252, green: 252, blue: 252))
    let difference = try #require(ImageComparison().difference(from: image, to: other))
    #expect(abs(difference.worstDistance - 1.06) < 0.05)
    #expect(Diffing<Image>.image(perceptualPrecision: 0.98).diff(image, other) == nil)
    #expect(Diffing<Image>.image(perceptualPrecision: 0.995).diff(image, other) != nil)
    #expect(Diffing<Image>.image(perceptualPrecision: 0).diff(image, changed(image, 100)) == nil)
  }

  @Test("the colours of fully transparent pixels are not compared")
  func transparent() throws {
    let clear = try #require(Image(width: 2, height: 2, filledWith: .clear))
    let hidden = try #require(
      Image(width: 2, height: 2, filledWith: Image.Pixel(red: 255, green: 255, blue: 255, alpha: 0)))
    #expect(Diffing<Image>.image.diff(clear, hidden) == nil)
    let barely = try #require(
      Image(width: 2, height: 2, filledWith: Image.Pixel(red: 255, green: 255, blue: 255, alpha: 1)))
    #expect(Diffing<Image>.image.diff(clear, barely) != nil)
    #expect(Diffing<Image>.image(perceptualPrecision: 0.98).diff(clear, barely) == nil)
  }

  @Test("masked pixels are neither compared nor counted, and masks can overlap and be outside of the image")
  func masks() throws {
    let image = try white()
    let other = changed(image, 10)
    let top = Image.Rect(x: -5, y: -5, width: 100, height: 6)
    #expect(Diffing<Image>.image(masks: [top, top]).diff(image, other) == nil)
    let partly = Image.Rect(x: 0, y: 0, width: 5, height: 10)
    let difference = try #require(
      ImageComparison(masks: [partly, Image.Rect(x: Int.max, y: Int.min, width: Int.max, height: Int.max)])
        .difference(from: image, to: other))
    #expect(difference.changedPixels == 5)
    #expect(difference.comparedPixels == 50)
    #expect(ImageComparison(masks: [partly, partly]).difference(from: image, to: other)?.comparedPixels == 50)
    #expect(Diffing<Image>.image(precision: 0.9, masks: [partly]).diff(image, other) == nil)
    #expect(Diffing<Image>.image(precision: 0.91, masks: [partly]).diff(image, other) != nil)
  }

  @Test("a difference has the same pixels and regions in both directions, and an image matches itself")
  func symmetric() throws {
    try checkProperty(
      "changed(a, b) = changed(b, a)", count: 60, .image(width: 7, height: 5), .image(width: 7, height: 5)
    ) { one, other in
      let forth = ImageComparison().difference(from: one, to: other)
      let back = ImageComparison().difference(from: other, to: one)
      return forth?.changedPixels == back?.changedPixels && forth?.regions == back?.regions
        && ImageComparison().difference(from: one, to: one) == nil
    }
  }

  @Test("a strategy without a precision uses the default of its scope when it compares, and an argument wins")
  func defaults() throws {
    let image = try white()
    let other = changed(image, 2)
    let (plain, strict) = (Diffing<Image>.image, Diffing<Image>.image(precision: 1))
    SnapshotPrecision.$precision.withValue(0.98) {
      #expect(plain.diff(image, other) == nil && plain.settings == ["precision": "0.98"])
      #expect(strict.diff(image, other) != nil && strict.settings.isEmpty)
    }
    let near = changed(image, 100, to: Image.Pixel(red: 252, green: 252, blue: 252))
    SnapshotPrecision.$perceptualPrecision.withValue(0.98) { #expect(plain.diff(image, near) == nil) }
    #expect(plain.diff(image, other) != nil && plain.diff(image, near) != nil)
  }
}
