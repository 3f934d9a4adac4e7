import Foundation
import ImageSnapshotting
import Testing

@Suite("Colour spaces of PNG files")
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

  @Test("no colour space of a PNG file converts its pixels")
  func raw() throws {
    let plain = try image().pixels
    #expect(try image(linear).pixels == plain)
    #expect(try image(("sRGB", [0]), ("gAMA", bigEndian(45_455))).pixels == plain)
    #expect(try image(("iCCP", Array("Display P3\0\0".utf8) + [1, 2, 3])).pixels == plain)
    var deep = PNGBuilder(width: 1, height: 1, kind: .init(code: 0, depth: 16), samples: [0x8080])
    deep.chunks = [linear]
    #expect(try Image(png: deep.data)[0, 0]?.red == 128)
  }

  @Test("a PNG file without a colour space, or with any description of sRGB, is sRGB")
  func standard() throws {
    #expect(try image().colorSpace == .sRGB)
    #expect(try image(("sRGB", [1])).colorSpace == .sRGB)
    #expect(try image(("gAMA", bigEndian(45_455)), standardPrimaries).colorSpace == .sRGB)
    #expect(try image(("cICP", [1, 13, 0, 1]), linear).colorSpace == .sRGB)
    for name in ["sRGB IEC61966-2.1", "Whatever"] {
      #expect(try image(("iCCP", ICCBuilder.sRGB.chunk(name))).colorSpace == .sRGB)
      #expect(try image(("iCCP", ICCBuilder.table.chunk(name))).colorSpace == .sRGB)
    }
  }

  @Test("an ICC profile is recognised as sRGB by its content, and not by its name")
  func profiles() throws {
    let name = "sRGB IEC61966-2.1"
    let others: [ICCBuilder] = [
      .sRGB.with { $0.curve = ICCBuilder.linear }, .sRGB.with { $0.curve = ICCBuilder.gamma(2.2) },
      .sRGB.with { $0.curves = ["rTRC", "gTRC"] }, .sRGB.with { $0.primaries[1].xyz[0] += 0.01 },
      .sRGB.with { $0.primaries.removeLast() }, .sRGB.with { $0.space = "GRAY" }, .sRGB.with { $0.space = "CMYK" },
      .sRGB.with { $0.connection = "Lab " }, .sRGB.with { $0.curve = Array("para".utf8) },
      .sRGB.with { $0.curve = Array("curv\0\0\0\0".utf8) + bigEndian(1_000) + [1] },
      .sRGB.with {
        $0.tagCount = 0xFFFF_FFFF; $0.primaries = []
      }, .sRGB.with { $0.size = 131 },
      .sRGB.with { $0.size = 0xFFFF_FFFF }, .sRGB.with { $0.size = 2 << 20 }, .sRGB.with { $0.moves = 1 << 30 },
    ]
    for (index, other) in others.enumerated() {
      let image = try image(("iCCP", other.chunk(name)))
      #expect(image.colorSpace.description == "ICC profile “\(name)”", "\(index)")
      #expect(try Image(png: image.pngData()) == image)
    }
    #expect(try image(("iCCP", ICCBuilder.sRGB.chunk("Linear sRGB").dropLast(9))).colorSpace != .sRGB)
    #expect(try image(("iCCP", Array("sRGB\0\u{1}".utf8) + ICCBuilder.sRGB.chunk("").dropFirst(2))).colorSpace != .sRGB)
  }

  @Test("invalid and late colour chunks of a PNG file are ignored")
  func malformed() throws {
    let malformed: [(String, [UInt8])] = [
      ("gAMA", [1]), ("gAMA", []), ("gAMA", bigEndian(0)), ("gAMA", bigEndian(100_000) + [0]), ("cHRM", [1, 2, 3]),
      ("cHRM", Array(repeating: 0, count: 33)), ("cICP", []), ("cICP", [12, 13, 0]), ("cICP", [12, 13, 0, 1, 0]),
      ("iCCP", []), ("iCCP", Array("no end".utf8)), ("iCCP", [0, 0, 1]),
      ("iCCP", Array(repeating: 65, count: 80) + [0, 0]),
    ]
    for chunk in malformed {
      #expect(try image(chunk).colorSpace == .sRGB, "\(chunk)")
      // A malformed chunk does not hide a chunk of lower rank.
      if chunk.0 != "gAMA" { #expect(try image(chunk, linear).colorSpace.description == "gamma 1.0", "\(chunk)") }
    }
    for content in [[], [4], [0, 0]] as [[UInt8]] {
      #expect(try image(("sRGB", content), linear).colorSpace.description == "gamma 1.0")
    }
    #expect(try image(("gAMA", [1]), linear).colorSpace.description == "gamma 1.0")
    var late = PNGBuilder(width: 1, height: 1, kind: .init(code: 2, depth: 8), samples: [1, 2, 3])
    late.lateChunks = [linear]
    #expect(try Image(png: late.data).colorSpace == .sRGB)
  }

  @Test("the colour space of a PNG file is that of its first chunk cICP, iCCP, sRGB or gAMA, in this order")
  func ranks() throws {
    let profile = ("iCCP", Array("Display P3\0\0".utf8) + [1, 2, 3])
    let points = ("cICP", [12, 13, 0, 1] as [UInt8])
    #expect(try image(linear, ("sRGB", [0]), profile, points).colorSpace.description == "CICP 12-13-0-1")
    #expect(try image(linear, ("sRGB", [0]), profile).colorSpace.description == "ICC profile “Display P3”")
    #expect(try image(linear, standardPrimaries, ("sRGB", [0])).colorSpace == .sRGB)
    #expect(try image(linear, ("gAMA", bigEndian(45_455))).colorSpace.description == "gamma 1.0")
  }

  @Test("an ICC profile of 4 MB is ignored")
  func longMeanings() throws {
    let profile = { (count: Int) in ("iCCP", Array("Display P3\0\0".utf8) + Array(repeating: UInt8(1), count: count)) }
    #expect(try image(profile(100)).colorSpace != .sRGB)
    #expect(try image(profile(4 << 20)).colorSpace == .sRGB)
    #expect(try image(("cICP", [1, 13, 0, 0])).colorSpace != .sRGB)
  }

  @Test("a colour space other than sRGB has a name, and is written again")
  func others() throws {
    let others = [
      try image(linear), try image(("gAMA", bigEndian(45_455)), ("cHRM", Array(repeating: 0, count: 32))),
      try image(("cICP", [12, 13, 0, 1])), try image(("iCCP", Array("Display P3\0\0".utf8) + [1, 2, 3])),
    ]
    #expect(
      others.map(\.colorSpace.description) == [
        "gamma 1.0", "gamma 0.45455, custom primaries", "CICP 12-13-0-1", "ICC profile “Display P3”",
      ])
    for image in others {
      #expect(try Image(png: image.pngData()) == image)
      #expect(image.colorSpace != .sRGB)
    }
  }

  @Test("images of different colour spaces do not match, and the message says why")
  func mismatch() throws {
    let difference = try #require(ImageComparison().difference(from: try image(), to: try image(linear)))
    #expect(difference.changedPixels == 0)
    #expect(
      "\(difference)" == """
        The colour spaces differ: sRGB in the reference, gamma 1.0 in the new image. Record the reference again, or \
        convert one of the images. The values of all 3 pixels match.
        """)
    let profile = { (byte: UInt8) in ("iCCP", Array("Same\0\0".utf8) + [byte]) }
    let names = try #require(ImageComparison().difference(from: try image(profile(1)), to: try image(profile(2))))
    #expect("\(names)".contains("ICC profile “Same” ("))
    let both = try #require(
      ImageComparison().difference(
        from: try image(), to: try image(linear).masked([Image.Rect(x: 0, y: 0, width: 1, height: 1)])))
    #expect(
      "\(both)".contains("sRGB in the reference") && "\(both)".contains("1 of 3 pixels differs")
        && !"\(both)".contains("The values of all"))
  }

  @Test("the pixel density of a PNG file is read as the scale of the image, and written from it")
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

  @Test("control characters are removed from the name of an ICC profile")
  func printable() throws {
    let name = try image(("iCCP", Array("\u{1B}[31mP3\0\0".utf8))).colorSpace.description
    #expect(name == "ICC profile “[31mP3”")
  }
}
