import Foundation
import ImageSnapshotting
import TestSupport
import Testing

@Suite("PNG files of every kind")
struct FormatTests {
  @Test(
    "PNG files of every kind are read as specified, with and without alpha, and survive writing",
    arguments: PNGBuilder.Kind.all)
  func kinds(_ kind: PNGBuilder.Kind) throws {
    try checkProperty("\(kind) reads as it was written", count: 20, Generator<PNGBuilder>.file(kind)) { file in
      let image = try Image(png: file.data)
      let again = try Image(png: image.pngData())
      return image.width == file.width && image.height == file.height && image.pixels == file.expected && again == image
    }
  }

  @Test("samples of sixteen bits are rounded to eight, and eight bits widened to sixteen are restored")
  func sixteenBits() throws {
    let samples: [UInt16] = [0, 1, 128, 129, 257, 385, 386, 0x7FFF, 0x8000, 65_406, 65_407, 65_535]
    let file = PNGBuilder(width: samples.count, height: 1, kind: .init(code: 0, depth: 16), samples: samples)
    let grey = try Image(png: file.data).pixels.enumerated().filter { $0.offset % 4 == 0 }.map(\.element)
    #expect(grey == [0, 0, 0, 1, 1, 1, 2, 127, 128, 254, 255, 255])
    let widened = PNGBuilder(
      width: 256, height: 1, kind: .init(code: 0, depth: 16), samples: (0...255).map { UInt16($0) * 257 })
    let back = try Image(png: widened.data).pixels.enumerated().filter { $0.offset % 4 == 0 }.map(\.element)
    #expect(back == Array(0...255))
  }

  @Test("opaque images are written without alpha, and an image always has the same bytes")
  func opaque() throws {
    let image = try #require(Image(width: 4, height: 4, filledWith: .white))
    let file = try image.pngData()
    #expect(file[25] == 2)
    #expect(try image.masked([Image.Rect(x: 0, y: 0, width: 1, height: 1)], with: .clear).pngData()[25] == 6)
    #expect(try image.pngData() == file)
  }

  @Test("a PNG file in a slice of data is read from the start of the slice")
  func slices() throws {
    let file = PNGBuilder(width: 1, height: 1, kind: .init(code: 0, depth: 8), samples: [7]).data
    let slice = (Data([1, 2, 3]) + file + Data([4])).dropFirst(3)
    let image = try Image(png: slice)
    #expect(image[0, 0] == Image.Pixel(red: 7, green: 7, blue: 7))
    #expect(try Image(png: image.pngData()) == image)
  }

  private func image(_ chunks: (String, [UInt8])..., samples: [UInt16] = [10, 128, 255], depth: Int = 8) throws -> Image
  {
    var file = PNGBuilder(width: 1, height: 1, kind: .init(code: 2, depth: depth), samples: samples)
    file.chunks = chunks
    return try Image(png: file.data)
  }

  @Test("colours with another gamma are converted to sRGB, and those of sRGB are unchanged")
  func gamma() throws {
    let plain = try image().pixels
    #expect(plain == [10, 128, 255, 255])
    #expect(try image(("sRGB", [0])).pixels == plain)
    #expect(try image(("gAMA", bigEndian(45_455))).pixels == plain)
    #expect(try image(("gAMA", [1])).pixels == plain)
    // Half of the light is the sample 188 of 255 in sRGB.
    let linear = ("gAMA", bigEndian(100_000))
    let light = try #require(try image(linear)[0, 0])
    #expect(abs(Int(light.green) - 187) <= 1 && light.blue == 255)
    let deep = try #require(try image(linear, samples: [0, 0x8000, 0xFFFF], depth: 16)[0, 0])
    #expect(abs(Int(deep.green) - 187) <= 1 && deep.red == 0 && deep.blue == 255)
  }

  @Test("the values of a file with a colour profile are kept, and the profile is named")
  func profile() throws {
    let content = bigEndian(132) + Array(repeating: 0, count: 8) + Array("mntrRGB XYZ ".utf8)
    let header = content + Array(repeating: 0, count: 12) + Array("acsp".utf8) + Array(repeating: 0, count: 28)
    let white: [UInt8] = [0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D]
    let profile = header + white + Array(repeating: 0, count: 48) + bigEndian(0)
    let image = try image(("iCCP", Array("Display P3\0\0".utf8) + PNGBuilder.stored(profile)))
    #expect(image.pixels == [10, 128, 255, 255])
    #expect(image.environment == ["color profile": "Display P3"])
  }

  @Test("the pixel density of a PNG file is read as the scale of the image, and written from it")
  func scale() throws {
    let twice = ("pHYs", bigEndian(5_669) + bigEndian(5_669) + [1])
    #expect(try image(twice).scale == 2)
    #expect(try image().scale == 1)
    #expect(try image(("pHYs", bigEndian(5_669) + bigEndian(2_835) + [1])).scale == 1)
    #expect(try image(("pHYs", bigEndian(2) + bigEndian(2) + [0])).scale == 1)
    let file = try Image(png: image(twice).pngData(), scale: 3)
    #expect(try Image(png: file.pngData()).scale == 3)
  }

  @Test("the environment of an image is a text of its PNG file, and does not change equality")
  func environment() throws {
    var image = try #require(Image(width: 2, height: 2, filledWith: .white))
    let bare = try image.pngData()
    image.environment = ["browser": "Chrome 142", "fonts": "Überschrift: 1, 2", "lines": "a\nb\r\nc", "none": ""]
    let file = try image.pngData()
    #expect(file.range(of: Data("Environment\0".utf8)) != nil && bare.range(of: Data("Environment\0".utf8)) == nil)
    let read = try Image(png: file)
    #expect(
      read.environment == ["browser": "Chrome 142", "fonts": "Überschrift: 1, 2", "lines": "a b c", "none": ""])
    #expect(try read == Image(png: bare))
    #expect(read.masked([read.bounds]).environment == read.environment)
    // Text of other programs is no environment.
    #expect(try self.image(("tEXt", Array("Author\0Nobody".utf8))).environment.isEmpty)
  }
}
