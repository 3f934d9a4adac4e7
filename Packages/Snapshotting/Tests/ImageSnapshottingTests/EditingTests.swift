import ImageSnapshotting
import TestSupport
import Testing

@Suite("Images from images")
struct EditingTests {
  @Test("cropping twice has the same effect as cropping to the intersection")
  func cropTwice() throws {
    try checkProperty("crop(crop(image, a), b) = crop(image, a ∩ b)", .image(), .rect, .rect) { image, one, other in
      let first = one.intersection(image.bounds)
      let moved = Image.Rect(x: other.x - first.x, y: other.y - first.y, width: other.width, height: other.height)
      guard let part = image.cropped(to: one) else { return first.isEmpty }
      return part.cropped(to: moved) == image.cropped(to: one.intersection(other))
    }
  }

  @Test("a cropped image has the pixels of its rectangle")
  func parts() throws {
    try checkProperty("crop(image, r)[x, y] = image[r.x + x, r.y + y]", .image(), .rect) { image, rect in
      guard let part = image.cropped(to: rect) else { return rect.intersection(image.bounds).isEmpty }
      let place = rect.intersection(image.bounds)
      return (0..<part.height).allSatisfy { y in
        (0..<part.width).allSatisfy { x in part[x, y] == image[place.x + x, place.y + y] }
      }
    }
  }

  @Test("masks over the different regions make two images equal")
  func masked() throws {
    let size = Generator<Image>.image(width: 30, height: 4)
    try checkProperty("difference(mask(a), mask(b)) = none", size, size) { one, other in
      guard let difference = ImageComparison().difference(from: one, to: other) else { return true }
      let comparison = ImageComparison(masks: difference.regions)
      return comparison.difference(from: one, to: other) == nil
        && ImageComparison()
          .difference(from: one.masked(difference.regions), to: other.masked(difference.regions)) == nil
    }
  }

  @Test("rectangles are clipped to the image")
  func extremes() throws {
    let image = try #require(Image(width: 2, height: 2, filledWith: .white))
    let all = Image.Rect(x: -5, y: -5, width: Int.max, height: Int.max)
    #expect(image.cropped(to: all) == image)
    #expect(image.cropped(to: Image.Rect(x: Int.max, y: Int.max, width: Int.max, height: Int.max)) == nil)
    #expect(image.cropped(to: Image.Rect(x: Int.min, y: 0, width: Int.max, height: 1)) == nil)
    #expect(image.cropped(to: Image.Rect(x: 0, y: 0, width: Int.min, height: -1)) == nil)
    #expect(image.masked([all]) == Image(width: 2, height: 2, filledWith: .black))
  }
}
