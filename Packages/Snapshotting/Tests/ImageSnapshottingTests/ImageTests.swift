import ImageSnapshotting
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

  @Test("images of the same size, scale and pixels are equal")
  func equality() throws {
    let image = try #require(Image(width: 2, height: 1, filledWith: .white))
    #expect(image == Image(width: 2, height: 1, filledWith: .white))
    #expect(image.hashValue == Image(width: 2, height: 1, filledWith: .white)?.hashValue)
    #expect(image != Image(width: 1, height: 2, filledWith: .white))
    #expect(image != Image(width: 2, height: 1, filledWith: .white, scale: 2))
    #expect(image != Image(width: 2, height: 1, filledWith: .clear))
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
}
