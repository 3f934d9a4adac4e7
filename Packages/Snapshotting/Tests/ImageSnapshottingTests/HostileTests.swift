import Foundation
import ImageSnapshotting
import TestSupport
import Testing

@Suite("Invalid files")
struct HostileTests {
  private let small = PNGBuilder(
    width: 5, height: 3, kind: .init(code: 3, depth: 2),
    samples: (0..<15).map { UInt16($0 % 4) }, palette: [[0, 0, 0], [255, 0, 0], [0, 255, 0], [0, 0, 255]],
    transparency: [0, 128], chunks: [("gAMA", bigEndian(50_000)), ("pHYs", bigEndian(5_669) + bigEndian(5_669) + [1])])

  private func error(_ bytes: [UInt8], maximumPixels: Int = 8_192 * 8_192) -> PNGError? {
    do {
      _ = try Image(png: Data(bytes), maximumPixels: maximumPixels)
      return nil
    } catch {
      return error
    }
  }

  private func isDamaged(_ bytes: [UInt8]) -> Bool {
    if case .damaged = error(bytes) { true } else { false }
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
    #expect(error([]) == .notPNG(isEmpty: true))
    #expect(error(Array("<html>".utf8)) == .notPNG(isEmpty: false))
    #expect(error([0xFF, 0xD8, 0xFF, 0xE0]) == .notPNG(isEmpty: false))
    #expect(error([0x89, 0x50, 0x4E, 0x47]) == .truncated(count: 4))
  }

  @Test("the pointer that Git LFS stores in place of a file is named, with the command that gets the file")
  func pointer() {
    let pointer = """
      version https://git-lfs.github.com/spec/v1
      oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
      size 12345

      """
    #expect(error(Array(pointer.utf8)) == .gitLFSPointer)
    #expect(error(Array(pointer.utf8))?.description.contains("git lfs pull") == true)
  }

  @Test(
    "a PNG file that was changed as text is named, with the line for .gitattributes",
    arguments: [("\r\n", "\n"), ("\n", "\r\n")])
  func lineEndings(_ old: String, _ new: String) throws {
    let file = try #require(String(data: small.data, encoding: .isoLatin1))
    let changed = try #require(file.replacing(old, with: new).data(using: .isoLatin1))
    #expect(changed != small.data && error(Array(changed)) == .changedAsText)
    #expect(error(Array(changed))?.description.contains("*.png binary") == true)
    let replaced = String(decoding: small.data, as: UTF8.self)
    #expect(error(Array(replaced.utf8)) == .changedAsText)
  }

  @Test("a PNG file that is cut off at any byte is an error")
  func truncated() {
    let bytes = Array(small.data)
    for count in 1..<bytes.count { #expect(error(Array(bytes[..<count])) == .truncated(count: count)) }
    #expect(error(bytes) == nil)
  }

  @Test("a PNG file with fewer pixels than its header declares is an error")
  func missingPixels() {
    let few = PNGBuilder.chunk("IDAT", PNGBuilder.stored([0, 1, 2, 3]))
    #expect(isDamaged(file(header(2, 2), few, end)))
    #expect(isDamaged(file(header(8_000, 8_000), few, end)))
    #expect(isDamaged(file(header(2, 2), end)))
  }

  @Test("an image above the limit is refused by its header")
  func oversized() throws {
    let pixels = PNGBuilder.chunk("IDAT", PNGBuilder.stored(Array(repeating: 0, count: 4_000)))
    for side in [100_000, 0x7FFF_FFFF] {
      #expect(
        error(file(header(side, side), pixels, end))
          == .tooLarge(width: side, height: side, maximumPixels: 8_192 * 8_192))
    }
    #expect(isDamaged(file(header(0xFFFF_FFFF, 1), pixels, end)))
    #expect(isDamaged(file(header(0, 1), pixels, end)))
    #expect(error(Array(small.data), maximumPixels: 14) == .tooLarge(width: 5, height: 3, maximumPixels: 14))
    #expect(error(Array(small.data), maximumPixels: 15) == nil)
    #expect(
      error(Array(small.data), maximumPixels: -1)?.description == """
        The PNG image is too large: it has 5×3 pixels, and the limit is -1 pixels. If you trust the file, read it with a \
        higher limit.
        """)
  }

  @Test("text after the end of a PNG file, and text of more than a megabyte in it, is ignored")
  func text() throws {
    let image = try Image(png: small.data + Data("hello".utf8))
    #expect(try image == Image(png: small.data))
    var large = small
    large.chunks = [("tEXt", Array("Environment\0".utf8) + Array(repeating: 65, count: 1 << 20 + 1 << 10))]
    #expect(try Image(png: large.data).environment.isEmpty)
  }
}
