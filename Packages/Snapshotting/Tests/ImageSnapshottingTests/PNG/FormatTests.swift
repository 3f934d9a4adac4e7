import Foundation
import ImageSnapshotting
import TestSupport
import Testing

@Suite("PNG files of every kind")
struct FormatTests {
  @Test(
    "PNG files of every kind are read as specified, interlaced or not, with and without alpha",
    arguments: PNGBuilder.Kind.all)
  func kinds(_ kind: PNGBuilder.Kind) throws {
    try checkProperty("\(kind) reads as it was written", count: 60, Generator<PNGBuilder>.file(kind)) { file in
      let image = try Image(png: file.data)
      return image.width == file.width && image.height == file.height && image.pixels == file.expected
    }
  }

  @Test("a PNG file of every kind gives an equal image after it is written again", arguments: PNGBuilder.Kind.all)
  func again(_ kind: PNGBuilder.Kind) throws {
    try checkProperty("\(kind) survives", count: 20, Generator<PNGBuilder>.file(kind)) { file in
      let image = try Image(png: file.data)
      guard let made = Image(width: image.width, height: image.height, pixels: image.pixels) else { return false }
      return try Image(png: image.pngData()) == image && Image(png: made.pngData()) == made
    }
  }

  @Test("writing and reading a PNG file keeps the pixels and the scale of an image")
  func roundTrip() throws {
    try checkProperty("read(write(image)) = image", count: 60, .image(side: 1...20), .int(in: 1...5_000)) {
      image, thousandths in
      guard
        let image = Image(
          width: image.width, height: image.height, pixels: image.pixels, scale: Double(thousandths) / 1_000)
      else { return false }
      return try Image(png: image.pngData()) == image
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

  @Test("a PNG file keeps the colours of transparent pixels")
  func transparent() throws {
    let pixels: [UInt8] = [200, 100, 50, 0, 200, 100, 50, 1, 1, 2, 3, 128, 9, 9, 9, 255]
    let image = try #require(Image(width: 2, height: 2, pixels: pixels))
    #expect(try Image(png: image.pngData()).pixels == pixels)
  }

  @Test("a decoded image keeps its compressed pixels, without metadata")
  func kept() throws {
    var file = PNGBuilder(width: 2, height: 1, kind: .init(code: 2, depth: 8), samples: [1, 2, 3, 4, 5, 6])
    let bare = file.data
    file.chunks = [("tEXt", Array("Author\0Nobody".utf8)), ("tIME", [7, 226, 12, 17, 0, 0, 0])]
    let written = try Image(png: file.data).pngData()
    #expect(try Image(png: bare).pngData() == written)
    #expect(written.range(of: Data("Nobody".utf8)) == nil)
    #expect(written.range(of: Data(PNGBuilder.stored([0, 1, 2, 3, 4, 5, 6]))) != nil)
    #expect(try Image(png: written).pngData() == written)
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
}
