import Foundation
import ImageSnapshotting
import Testing

@Suite("What the numbers of a PNG file mean")
struct MeaningTests {
  private func image(_ chunks: (String, [UInt8])...) throws -> Image {
    var file = PNGBuilder(
      width: 3, height: 1, kind: .init(code: 2, depth: 8), samples: [10, 20, 30, 40, 50, 60, 70, 80, 90])
    file.chunks = chunks
    return try Image(png: file.data)
  }

  private let linear = ("gAMA", bigEndian(100_000))
  private let standardPrimaries = (
    "cHRM", [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000].flatMap(bigEndian)
  )

  @Test("numbers are what the file has, whatever it says that they mean")
  func raw() throws {
    let plain = try image().pixels
    #expect(try image(linear).pixels == plain)
    #expect(try image(("sRGB", [0]), ("gAMA", bigEndian(45_455))).pixels == plain)
    #expect(try image(("iCCP", Array("Display P3\0\0".utf8) + [1, 2, 3])).pixels == plain)
    var deep = PNGBuilder(width: 1, height: 1, kind: .init(code: 0, depth: 16), samples: [0x8080])
    deep.chunks = [linear]
    #expect(try Image(png: deep.data)[0, 0]?.red == 128)
  }

  @Test("a file that says nothing, or sRGB in any of the words for it, is sRGB")
  func standard() throws {
    #expect(try image().colorSpace == .sRGB)
    #expect(try image(("sRGB", [1])).colorSpace == .sRGB)
    #expect(try image(("gAMA", bigEndian(45_455)), standardPrimaries).colorSpace == .sRGB)
    #expect(try image(("cICP", [1, 13, 0, 1]), linear).colorSpace == .sRGB)
    #expect(try image(("iCCP", Array("sRGB IEC61966-2.1\0\0".utf8) + [1])).colorSpace == .sRGB)
  }

  @Test("what says it at an unreasonable length is left out")
  func longMeanings() throws {
    let profile = { (count: Int) in ("iCCP", Array("Display P3\0\0".utf8) + Array(repeating: UInt8(1), count: count)) }
    #expect(try image(profile(100)).colorSpace != .sRGB)
    #expect(try image(profile(4 << 20)).colorSpace == .sRGB)
    #expect(try image(("cICP", [1, 13, 0, 0])).colorSpace != .sRGB)
  }

  @Test("all else is named, kept, and written again")
  func others() throws {
    let others = [
      try image(linear), try image(("gAMA", bigEndian(45_455)), ("cHRM", Array(repeating: 0, count: 32))),
      try image(("cICP", [12, 13, 0, 1])), try image(("iCCP", Array("Display P3\0\0".utf8) + [1, 2, 3])),
    ]
    #expect(
      others.map(\.colorSpace.description) == [
        "gamma 1.0", "gamma 0.45455, its own primaries", "code points 12-13-0-1", "ICC profile “Display P3”",
      ])
    for image in others {
      #expect(try Image(png: image.pngData()) == image)
      #expect(image.colorSpace != .sRGB)
    }
  }

  @Test("pictures of different colour spaces do not match, and the message says why")
  func mismatch() throws {
    let difference = try #require(ImageComparison().difference(from: try image(), to: try image(linear)))
    #expect(difference.changedPixels == 0)
    #expect(
      "\(difference)" == """
        The colours of the reference are sRGB, those of the new picture gamma 1.0: the same numbers are other colours. \
        Record the reference anew, or convert one of them. 0 of 3 pixels differ (0 %).
        """)
  }

  @Test("the density becomes the scale, and the other way round")
  func scale() throws {
    let twice = ("pHYs", bigEndian(5_669) + bigEndian(5_669) + [1])
    #expect(try image(twice).scale == 2)
    #expect(try image().scale == 1)
    #expect(try image(("pHYs", bigEndian(5_669) + bigEndian(2_835) + [1])).scale == 1)
    #expect(try image(("pHYs", bigEndian(2) + bigEndian(2) + [0])).scale == 1)
    let file = try Image(png: image(twice).pngData(), scale: 3)
    #expect(file.scale == 3)
    #expect(try Image(png: file.pngData()).scale == 3)
    #expect(ImageComparison().difference(from: try image(), to: file) == nil)
  }

  @Test("a profile's name cannot command a terminal")
  func printable() throws {
    let name = try image(("iCCP", Array("\u{1B}[31mP3\0\0".utf8))).colorSpace.description
    #expect(name == "ICC profile “[31mP3”")
  }
}
