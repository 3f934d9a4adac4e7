import ImageSnapshotting
import TestSupport
import Testing

@Suite("Pictures from pictures")
struct EditingTests {
  @Test("cropping twice is cropping to what both have in common")
  func cropTwice() throws {
    try checkProperty("crop(crop(image, a), b) = crop(image, a ∩ b)", .image(), .rect, .rect) { image, one, other in
      let first = one.intersection(image.bounds)
      let moved = Image.Rect(x: other.x - first.x, y: other.y - first.y, width: other.width, height: other.height)
      guard let part = image.cropped(to: one) else { return first.isEmpty }
      return part.cropped(to: moved) == image.cropped(to: one.intersection(other))
    }
  }

  @Test("a part has the pixels of its place")
  func parts() throws {
    try checkProperty("crop(image, r)[x, y] = image[r.x + x, r.y + y]", .image(), .rect) { image, rect in
      guard let part = image.cropped(to: rect) else { return rect.intersection(image.bounds).isEmpty }
      let place = rect.intersection(image.bounds)
      return (0..<part.height).allSatisfy { y in
        (0..<part.width).allSatisfy { x in part[x, y] == image[place.x + x, place.y + y] }
      }
    }
  }

  @Test("nothing over a picture, and a picture over nothing, is the picture")
  func identity() throws {
    try checkProperty("clear over a = a = a over clear", .image()) { image in
      guard let clear = Image(width: image.width, height: image.height, filledWith: .clear) else { return false }
      let seen = clear.composed(under: image)
      return image.composed(under: clear) == image && ImageComparison().difference(from: image, to: seen) == nil
    }
  }

  @Test("what is opaque hides all, where it is, and changes nothing elsewhere")
  func opaque() throws {
    try checkProperty("opaque over a", .image(), .rect) { image, rect in
      guard let top = Image(width: max(rect.width, 1), height: max(rect.height, 1), filledWith: .black) else {
        return false
      }
      let place = Image.Rect(x: rect.x, y: rect.y, width: top.width, height: top.height)
      return image.composed(under: top, x: rect.x, y: rect.y) == image.masked([place])
    }
  }

  @Test("cropping what is composed is composing what is cropped")
  func distributes() throws {
    try checkProperty(
      "crop(b over a) = crop(b) over crop(a)", .image(width: 6, height: 5), .image(width: 6, height: 5), .rect
    ) { under, over, rect in
      guard let part = under.cropped(to: rect), let top = over.cropped(to: rect) else { return true }
      return under.composed(under: over).cropped(to: rect) == part.composed(under: top)
    }
  }

  @Test("composing is associative, but for rounding")
  func associative() throws {
    let size = Generator<Image>.image(width: 3, height: 3)
    try checkProperty("(c over b) over a ≈ c over (b over a)", size, size, size) { a, b, c in
      let one = a.composed(under: b).composed(under: c)
      let other = a.composed(under: b.composed(under: c))
      return zip(one.pixels, other.pixels).enumerated().allSatisfy { index, pair in
        let alpha = Int(one.pixels[index / 4 * 4 + 3])
        // Numbers of what can hardly be seen are rough: half of a step of what is seen, twice.
        return abs(Int(pair.0) - Int(pair.1)) * alpha <= (index % 4 == 3 ? 255 : 512)
      }
    }
  }

  @Test("half of white over black is grey, and half of both is more than half")
  func mixing() throws {
    let white = try #require(
      Image(width: 1, height: 1, filledWith: Image.Pixel(red: 255, green: 255, blue: 255, alpha: 128)))
    let black = try #require(Image(width: 1, height: 1, filledWith: .black))
    #expect(black.composed(under: white)[0, 0] == Image.Pixel(red: 128, green: 128, blue: 128))
    let half = try #require(Image(width: 1, height: 1, filledWith: Image.Pixel(red: 0, green: 0, blue: 0, alpha: 128)))
    #expect(half.composed(under: white)[0, 0] == Image.Pixel(red: 170, green: 170, blue: 170, alpha: 192))
  }

  @Test("what two pictures differ in is gone when it is masked in both, and all that changed is there")
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

  @Test("rectangles from anywhere are cut to size")
  func extremes() throws {
    let image = try #require(Image(width: 2, height: 2, filledWith: .white))
    let all = Image.Rect(x: -5, y: -5, width: Int.max, height: Int.max)
    #expect(image.cropped(to: all) == image)
    #expect(image.cropped(to: Image.Rect(x: Int.max, y: Int.max, width: Int.max, height: Int.max)) == nil)
    #expect(image.cropped(to: Image.Rect(x: Int.min, y: 0, width: Int.max, height: 1)) == nil)
    #expect(image.cropped(to: Image.Rect(x: 0, y: 0, width: Int.min, height: -1)) == nil)
    #expect(image.masked([all]) == Image(width: 2, height: 2, filledWith: .black))
    #expect(image.composed(under: image, x: Int.max, y: Int.min) == image)
  }
}
