import Foundation
import ImageSnapshotting
import Snapshotting
import TestSupport
import Testing

@Suite("Invalid files")
struct HostileTests {
  private let small = PNGBuilder(
    width: 5, height: 3, kind: .init(code: 3, depth: 2), isInterlaced: true,
    samples: (0..<15).map { UInt16($0 % 4) }, palette: [[0, 0, 0], [255, 0, 0], [0, 255, 0], [0, 0, 255]],
    transparency: [0, 128], chunks: [("gAMA", bigEndian(50_000)), ("pHYs", bigEndian(5_669) + bigEndian(5_669) + [1])])

  private func kind(_ bytes: [UInt8], limits: PNGLimits = .standard) -> PNGError.Kind? {
    do {
      _ = try Image(png: Data(bytes), limits: limits)
      return nil
    } catch {
      return error.kind
    }
  }

  private func file(_ chunks: [UInt8]...) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunks.flatMap { $0 }
  }

  private func header(_ width: Int, _ height: Int, depth: UInt8 = 8, kind: UInt8 = 2) -> [UInt8] {
    PNGBuilder.chunk("IHDR", bigEndian(width) + bigEndian(height) + [depth, kind, 0, 0, 0])
  }

  private let end = PNGBuilder.chunk("IEND", [])

  @Test("an empty file, text and other formats are not PNG")
  func others() {
    #expect(kind([]) == .notPNG)
    #expect(kind(Array("<html>".utf8)) == .notPNG)
    #expect(kind([0xFF, 0xD8, 0xFF, 0xE0]) == .notPNG)
    #expect(kind([0x89, 0x50, 0x4E, 0x47]) == .truncated)
  }

  @Test("a PNG file that is cut off at any byte is an error")
  func truncated() {
    let bytes = Array(small.data)
    for count in 1..<bytes.count { #expect(kind(Array(bytes[..<count])) == .truncated, "\(count) bytes") }
    #expect(kind(bytes) == nil)
  }

  @Test("a PNG file with fewer pixels than its header declares is an error")
  func missingPixels() {
    let few = PNGBuilder.chunk("IDAT", PNGBuilder.stored([0, 1, 2, 3]))
    #expect(kind(file(header(2, 2), few, end)) == .damaged)
    #expect(kind(file(header(8_000, 8_000), few, end)) == .truncated)
    #expect(kind(file(header(2, 2), end)) == .truncated)
  }

  @Test("an image above the limit is refused by its header")
  func oversized() throws {
    let pixels = PNGBuilder.chunk("IDAT", PNGBuilder.stored(Array(repeating: 0, count: 4_000)))
    #expect(kind(file(header(100_000, 100_000), pixels, end)) == .tooLarge)
    #expect(kind(file(header(0x7FFF_FFFF, 0x7FFF_FFFF), pixels, end)) == .tooLarge)
    #expect(kind(file(header(0xFFFF_FFFF, 1), pixels, end)) == .damaged)
    #expect(kind(file(header(0, 1), pixels, end)) == .damaged)
    #expect(kind(Array(small.data), limits: PNGLimits(bytes: 59)) == .tooLarge)
    #expect(kind(Array(small.data), limits: PNGLimits(bytes: 60)) == nil)
    #expect(kind(Array(small.data), limits: PNGLimits(bytes: -1)) == .tooLarge)
    let error = #expect(throws: PNGError.self) { try Image(png: small.data, limits: PNGLimits(bytes: 59)) }
    #expect(
      error?.description == """
        The PNG image is too large: it has 5×3 pixels of 4 bytes each, and the limit is 59 bytes. If you trust the file, \
        read it with a higher limit.
        """)
  }

  @Test("a reference can have any size that an image can have")
  func largeReference() {
    let pixels = PNGBuilder.chunk("IDAT", PNGBuilder.stored(Array(repeating: 0, count: 9_000)))
    let reference = file(header(8_193, 8_193, depth: 1, kind: 0), pixels, end)
    #expect(kind(reference) == .tooLarge)
    let error = #expect(throws: PNGError.self) { try Diffing<Image>.image.fromData(Data(reference)) }
    #expect(error?.kind == .damaged)
  }

  @Test("PNG chunks in the wrong order, of an impossible length, or unknown and critical are errors")
  func chunks() {
    let pixel = PNGBuilder.chunk("IDAT", PNGBuilder.stored([0, 1, 2, 3]))
    #expect(kind(file(header(1, 1), pixel, end)) == nil)
    #expect(kind(file(pixel, header(1, 1), end)) == .damaged)
    #expect(kind(file(header(1, 1), header(1, 1), pixel, end)) == .damaged)
    #expect(kind(file(header(1, 1), PNGBuilder.chunk("ABCD", []), pixel, end)) == .damaged)
    #expect(kind(file(header(1, 1), PNGBuilder.chunk("abcd", [1, 2]), pixel, end)) == nil)
    #expect(kind(file(header(1, 1), [0xFF, 0xFF, 0xFF, 0xFF], Array("IDAT".utf8), pixel, end)) == .truncated)
    #expect(kind(file(header(1, 1, depth: 3), pixel, end)) == .damaged)
    #expect(kind(file(header(1, 1, kind: 5), pixel, end)) == .damaged)
    #expect(kind(file(header(1, 1, depth: 16, kind: 3), pixel, end)) == .damaged)
  }

  @Test("an invalid interlaced image of sixteen bits is an error")
  func interlacedSixteenBits() {
    let picture = PNGBuilder(
      width: 1, height: 3, kind: .init(code: 0, depth: 16), isInterlaced: true, samples: [1, 2, 3])
    #expect(kind(Array(picture.data)) == nil)
    let header = { (kind: UInt8, compression: UInt8, filter: UInt8) in
      PNGBuilder.chunk("IHDR", bigEndian(1) + bigEndian(3) + [16, kind, compression, filter, 1])
    }
    let lines: [UInt8] = [0, 0, 1, 0, 0, 2, 0, 0, 3]
    let pixels = { (lines: [UInt8]) in PNGBuilder.chunk("IDAT", PNGBuilder.stored(lines)) }
    #expect(kind(file(header(0, 0, 0), pixels(lines), end)) == nil)
    #expect(kind(file(header(3, 0, 0), pixels(lines), end)) == .damaged)
    #expect(kind(file(header(0, 1, 0), pixels(lines), end)) == .damaged)
    #expect(kind(file(header(0, 0, 1), pixels(lines), end)) == .damaged)
    #expect(kind(file(header(0, 0, 0), pixels(Array(lines.dropLast())), end)) == .damaged)
    // As in other images, more data than pixels is ignored.
    #expect(kind(file(header(0, 0, 0), pixels(lines + [0]), end)) == nil)
    #expect(kind(file(header(0, 0, 0), pixels([5] + lines.dropFirst()), end)) == .damaged)
    #expect(kind(file(header(0, 0, 0), PNGBuilder.chunk("ABCD", []), pixels(lines), end)) == .damaged)
    // A transparent colour after the pixels is ignored.
    let late = file(header(0, 0, 0), pixels(lines), PNGBuilder.chunk("tRNS", [0, 2]), end)
    #expect((try? Image(png: Data(late)))?[0, 2]?.alpha == 255)
    let early = file(header(0, 0, 0), PNGBuilder.chunk("tRNS", [0, 2]), pixels(lines), end)
    #expect((try? Image(png: Data(early)))?[0, 2]?.alpha == 0)
    var broken = pixels(lines)
    broken[broken.count - 1] ^= 1
    #expect(kind(file(header(0, 0, 0), broken, end)) == .damaged)
    #expect(kind(file(header(0, 0, 0), end)) == .truncated)
  }

  @Test("a wrong checksum is an error in chunks that affect the image, and is ignored in others")
  func checksums() {
    let pixel = PNGBuilder.chunk("IDAT", PNGBuilder.stored([0, 1, 2, 3]))
    var (gamma, text) = (PNGBuilder.chunk("gAMA", bigEndian(1)), PNGBuilder.chunk("tEXt", [1]))
    (gamma[gamma.count - 1], text[text.count - 1]) = (gamma[gamma.count - 1] ^ 1, text[text.count - 1] ^ 1)
    #expect(kind(file(header(1, 1), gamma, pixel, end)) == .damaged)
    #expect(kind(file(header(1, 1), text, pixel, end)) == nil)
    var broken = pixel
    broken[broken.count - 1] ^= 1
    #expect(kind(file(header(1, 1), broken, end)) == .damaged)
  }

  @Test("text after the end of a PNG file is ignored")
  func trailing() throws {
    let image = try Image(png: small.data + Data("hello".utf8))
    #expect(try image.pngData() == Image(png: small.data).pngData())
  }

  @Test("thousands of damaged files give images within the limit, or errors")
  func mutations() throws {
    var random = SeededGenerator(seed: 20_181_217)
    let limits = PNGLimits(bytes: 1 << 16)
    var compressed = try #require(Image(width: 33, height: 21, filledWith: .white))
    for step in 0..<20 {
      compressed = compressed.masked(
        [Image.Rect(x: step, y: step / 2, width: 3, height: 2)],
        with: Image.Pixel(red: UInt8(step * 9), green: 1, blue: 2))
    }
    let deep = PNGBuilder(
      width: 5, height: 3, kind: .init(code: 2, depth: 16), isInterlaced: true, filters: [4, 3, 2, 1, 0],
      samples: (0..<45).map { $0 * 1_000 }, transparency: [0, 0, 3, 232, 7, 208])
    let seeds = try [Array(small.data), Array(compressed.pngData()), Array(deep.data)]
    var (pictures, errors) = (0, 0)
    for round in 0..<6_000 {
      var bytes = seeds[round % 3]
      for _ in 0...Int.random(in: 0...3, using: &random) { Self.mutate(&bytes, &random) }
      // Half of the files get correct checksums, because a wrong checksum ends the reading.
      if round % 4 < 2 { bytes = Self.withChecksums(bytes) }
      do {
        let image = try Image(png: Data(bytes), limits: limits)
        pictures += 1
        guard image.pixels.count <= limits.bytes, image.pixels.count == image.width * image.height * 4,
          try Image(png: image.pngData()) == image
        else {
          Issue.record("mutation \(round) is read wrongly")
          return
        }
      } catch {
        errors += 1
        if error.description.isEmpty { Issue.record("mutation \(round) has no message") }
      }
    }
    #expect(pictures > 100 && errors > 1_000, "\(pictures) pictures, \(errors) errors")
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: bytes[place] = .random(in: 0...255, using: &random)
    case 2: bytes.insert(.random(in: 0...255, using: &random), at: place)
    case 3: bytes.remove(at: place)
    default: bytes[place] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
    }
    if bytes.isEmpty { bytes = [0] }
  }

  /// Returns the same chunks with correct checksums.
  private static func withChecksums(_ bytes: [UInt8]) -> [UInt8] {
    var result = Array(bytes.prefix(8))
    var rest = bytes.dropFirst(8)
    while rest.count >= 12 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard length <= rest.count - 12 else { break }
      let name = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
      guard name.utf8.count == 4 else { break }
      result += PNGBuilder.chunk(name, Array(rest.dropFirst(8).prefix(length)))
      rest = rest.dropFirst(length + 12)
    }
    return result + rest
  }
}
