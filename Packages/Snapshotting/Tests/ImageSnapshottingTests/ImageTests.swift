import ImageSnapshotting
import TestSupport
import Testing

@Suite("An image")
struct ImageTests {
  @Test("an image has at least one pixel, four bytes for each, and a size that a file can store")
  func sizes() {
    #expect(Image(width: 0, height: 1, pixels: []) == nil)
    #expect(Image(width: -1, height: -1, pixels: [1, 2, 3, 4]) == nil)
    #expect(Image(width: 1, height: 1, pixels: [1, 2, 3]) == nil)
    #expect(Image(width: 1, height: 1, pixels: [1, 2, 3, 4]) != nil)
    #expect(Image(width: Int.max, height: Int.max, filledWith: .white) == nil)
    #expect(Image(width: 1_000_001, height: 1, filledWith: .white) == nil)
    #expect(Image(width: 1_000_000, height: 1_000, filledWith: .white) == nil)
  }

  @Test("an image returns a pixel by column and row, and nil outside of its bounds")
  func pixels() throws {
    let image = try #require(Image(width: 2, height: 2, pixels: (1...16).map { UInt8($0) }))
    #expect(image[1, 0] == Image.Pixel(red: 5, green: 6, blue: 7, alpha: 8))
    #expect(image[0, 1] == Image.Pixel(red: 9, green: 10, blue: 11, alpha: 12))
    #expect([image[2, 0], image[0, 2], image[-1, 0], image[Int.max, Int.max]] == [nil, nil, nil, nil])
  }

  @Test("an image has a scale that a file can store")
  func scale() {
    func scale(_ number: Double) -> Double? { Image(width: 1, height: 1, filledWith: .white, scale: number)?.scale }
    #expect(scale(2) == 2)
    #expect(scale(1.333_33) == 1.333)
    #expect(scale(.nan) == 1)
    #expect(scale(-3) == 0.001)
    #expect(Image(width: 3, height: 2, filledWith: .white, scale: 2)?.description == "3×2@2x")
    #expect(Image(width: 3, height: 2, filledWith: .white, scale: 1.5)?.description == "3×2@1.5x")
  }

  @Test("an image knows whether all of its pixels are equal")
  func oneColor() throws {
    let image = try #require(Image(width: 5, height: 4, filledWith: .white))
    #expect(image.isOneColor && Image(width: 1, height: 1, filledWith: .clear)?.isOneColor == true)
    for (x, y) in [(0, 0), (4, 3), (2, 1)] {
      #expect(!image.masked([Image.Rect(x: x, y: y, width: 1, height: 1)]).isOneColor, "\(x), \(y)")
    }
  }

  @Test("a smaller image has the averages of the pixels, in which transparent pixels have no colour")
  func resize() throws {
    let row: [UInt8] = [255, 0, 0, 255, 0, 0, 255, 255, 9, 9, 9, 0, 0, 255, 0, 255]
    let image = try #require(Image(width: 4, height: 1, pixels: row))
    #expect(image.resized(width: 2, height: 1)?.pixels == [127, 0, 127, 255, 0, 255, 0, 127])
    #expect(image.resized(width: 8, height: 2)?.resized(width: 4, height: 1)?[3, 0] == image[3, 0])
    #expect(image.resized(width: 0, height: 1) == nil)
  }

  @Test("rectangles are clipped to the image")
  func extremes() throws {
    let image = try #require(Image(width: 2, height: 2, filledWith: .white))
    let all = Image.Rect(x: -5, y: -5, width: Int.max, height: Int.max)
    let outside = [
      Image.Rect(x: Int.max, y: Int.max, width: Int.max, height: Int.max),
      Image.Rect(x: Int.min, y: 0, width: Int.max, height: 1), Image.Rect(x: 0, y: 0, width: Int.min, height: -1),
    ]
    #expect(image.masked(outside) == image)
    #expect(image.masked([all]) == Image(width: 2, height: 2, filledWith: .black))
  }
}
