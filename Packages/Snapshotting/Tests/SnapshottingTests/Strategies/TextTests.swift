import Foundation
import TestSupport
import Snapshotting
import Testing

@Suite("Text")
struct TextTests {
  @Test("lines returns the text, and has the path extension txt")
  func lines() {
    #expect(taken("a\nb", as: .lines) == "a\nb")
    #expect(SimplySnapshotting<String>.lines.pathExtension == "txt")
  }

  @Test("a written text is read back without a difference")
  func roundTrip() throws {
    let diffing = Diffing<String>.lines
    try checkProperty("fromData ∘ toData = id, and diff = nil", .unicodeString) { text in
      let read = try diffing.fromData(diffing.toData(text))
      return Array(read.utf8) == Array(text.utf8) && diffing.diff(read, text) == nil
    }
  }

  @Test("the two Unicode forms of a letter differ, and so do line endings")
  func bytes() {
    #expect(Diffing<String>.lines.diff("\u{E9}", "e\u{301}") != nil)
    #expect(Diffing<String>.lines.diff("a\r\n", "a\n") != nil)
    #expect(Diffing<String>.lines.diff("a\n", "a") != nil)
  }

  @Test("a difference has a patch as an attachment")
  func attachment() throws {
    let difference = try #require(Diffing<String>.lines.diff("a", "b"))
    #expect(difference.1.map(\.name) == ["difference.patch"])
    #expect(difference.0.contains("\u{2212}a") && difference.0.contains("+b"))
  }

  @Test("a file that is not UTF-8 is an error with its solution")
  func notUTF8() throws {
    let error = #expect(throws: NotUTF8.self) { try Diffing<String>.lines.fromData(Data("aé".utf8) + [0xFF, 0x41]) }
    #expect(error?.description.contains("Restore the file") == true)
  }

  @Test("description shows the description of the value")
  func description() {
    #expect(taken([1, 2], as: .description) == "[1, 2]")
  }
}

@Suite("Bytes")
struct BinaryTests {
  @Test("data is unchanged, has no path extension, and a difference names the offset")
  func data() throws {
    #expect(taken(Data([1, 2]), as: .data) == Data([1, 2]))
    #expect(SimplySnapshotting<Data>.data.pathExtension == nil)
    #expect(Diffing<Data>.data.diff(Data([1]), Data([1])) == nil)
    let bytes = Data((0..<40).map { UInt8($0) })
    var other = bytes
    other[33] = 0
    let difference = try #require(Diffing<Data>.data.diff(bytes, other))
    #expect(difference.0.hasPrefix("Expected data to match: the first difference is at offset 33."))
    #expect(difference.0.contains("00000020  20 21 22"))
    #expect(Diffing<Data>.data.diff(bytes, bytes + [1])?.0.hasPrefix("Expected 41 bytes to match 40 bytes") == true)
  }

  @Test("offsets in slices of data begin at 0")
  func slices() {
    let slice = Data([9, 9, 1, 2]).dropFirst(2)
    #expect(taken(slice, as: .hex) == taken(Data([1, 2]), as: .hex))
    #expect(Diffing<Data>.data.diff(slice, Data([1, 3]))?.0.contains("offset 1") == true)
  }

  @Test("hex shows rows of sixteen")
  func hex() {
    #expect(
      taken(Data("Hello, wörld. Again and".utf8), as: .hex) == """
        00000000  48 65 6c 6c 6f 2c 20 77  c3 b6 72 6c 64 2e 20 41  |Hello, w..rld. A|
        00000010  67 61 69 6e 20 61 6e 64                           |gain and|
        00000018
        """)
    #expect(taken(Data(), as: .hex) == "00000000")
  }

  @Test("texts that are too long for a diff show their first difference, and equal ones match", .timeLimit(.minutes(1)))
  func huge() throws {
    let text = String(repeating: "a line of forty characters and some more\n", count: 500_000)
    let diffing = Diffing<String>.lines
    #expect(diffing.diff(text, text) == nil)
    let (message, attachments) = try #require(diffing.diff(text + "old\n" + text, text + "new\n" + text))
    #expect(message.contains("the first difference is at offset \(text.utf8.count)"))
    #expect(attachments.isEmpty && message.utf8.count < 1_000)
    #expect(diffing.diff(text + text, text + text + "more")?.0.contains("|more|") == true)
  }
}
