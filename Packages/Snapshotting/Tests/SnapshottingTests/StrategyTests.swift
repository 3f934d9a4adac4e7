import Foundation
import Parallel
import Snapshotting
import TestSupport
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

  @Test("description of an object without a description fails, and names the member and its type")
  func undescribed() {
    final class Bird { var name = "Puffin" }
    struct Nest { var birds: [String: [Bird?]] = ["a": [nil, Bird()]] }
    for (value, place) in [
      (Bird(), "the value"), (Nest(), "the value.birds[0].value[1].some"),
      (CollectionOfOne(Bird()), "the value.element"),
    ] as [(Any, String)] {
      let log = SnapshotLog()
      let text = immediateValue(of: Snapshotting<Any, String>.description.capture(value, SnapshotContext(log: log)))
      #expect(text?.contains("Bird") == true && log.entries.map(\.kind) == [.failure])
      #expect(log.entries.first?.message.hasPrefix("Cannot describe \(place): Bird has no description") == true)
    }
  }

  @Test("description of a value whose objects have descriptions passes")
  func described() {
    let values: [Any] = [Data(), NSObject(), Calendar.current, 1.5, Int?.none as Any, Int.self, { 1 }]
    let log = SnapshotLog()
    #expect(immediateValue(of: Snapshotting.description.capture(values, SnapshotContext(log: log))) == "\(values)")
    #expect(log.entries.isEmpty)
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
    #expect(Diffing<Data>.data.diff(slice, Data([1, 3]))?.0.contains("offset 1") == true)
  }
}

private struct User: Encodable {
  var name = "Blobby"
  var id = 1
  var site = "a/b"
}

private struct Stubborn: Encodable {
  struct Refusal: Error {}
  func encode(to encoder: any Encoder) throws { throw Refusal() }
}

private struct Tagged: Encodable { var tags: Set<String> }

private enum Kind: String, Encodable { case owl, puffin }

@Suite("JSON and property lists")
struct EncodableTests {
  @Test("json shows an encodable value with sorted keys")
  func json() {
    #expect(taken(User(), as: .json) == "{\n  \"id\" : 1,\n  \"name\" : \"Blobby\",\n  \"site\" : \"a\\/b\"\n}")
    #expect(Snapshotting<User, String>.json.pathExtension == "json")
  }

  @Test("a custom encoder is used")
  func ownEncoder() {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(taken(User(), as: .json(encoder)) == #"{"id":1,"name":"Blobby","site":"a/b"}"#)
  }

  @Test("json shows a value of type Any if it is a JSON object")
  func any() {
    #expect(
      taken(["b": [1, true], "a": NSNull()] as [String: Any], as: .json)?.hasPrefix("{\n  \"a\" : null,") == true)
  }

  @Test("plist shows XML")
  func plist() {
    #expect(taken(User(), as: .plist)?.contains("<key>name</key>\n\t<string>Blobby</string>") == true)
    #expect(Snapshotting<User, String>.plist.pathExtension == "plist")
  }

  private func failure<Value>(of value: Value, as strategy: Snapshotting<Value, String>) -> String? {
    let log = SnapshotLog()
    let text = immediateValue(of: strategy.capture(value, SnapshotContext(log: log)))
    return text == nil || log.entries.count != 1 || log.entries[0].kind != .failure ? nil : log.entries[0].message
  }

  @Test("a set or a dictionary that would be encoded in an order of its own in each run fails, and its place is named")
  func order() {
    let bird = Tagged(tags: ["sea", "black"])
    #expect(failure(of: ["a": [bird]], as: .json)?.contains("the elements of Set<String> at a.tags") == true)
    #expect(failure(of: [Kind.owl: 1, .puffin: 2], as: .plist)?.contains("Dictionary<Kind, Int>") == true)
    #expect(failure(of: [Date(): 1, .distantPast: 2], as: .json)?.contains("'readable'") == true)
    #expect(failure(of: Optional([bird.tags]), as: .json(JSONEncoder())) != nil)
  }

  @Test("sets of one element, and dictionaries whose keys are texts or integers, are encoded")
  func fixedOrder() {
    #expect(taken(Tagged(tags: ["sea"]), as: .json) == "{\n  \"tags\" : [\n    \"sea\"\n  ]\n}")
    #expect(failure(of: [2: "a", 1: "b"], as: .json) == nil && failure(of: ["b": 1.5, "a": 2], as: .plist) == nil)
    #expect(failure(of: [Date(): true], as: .json) == nil)
  }

  @Test("a value that cannot be encoded fails with the reason, and the run ends")
  func failures() {
    #expect(failure(of: Stubborn(), as: .json)?.contains("Refusal") == true)
    #expect(failure(of: Stubborn(), as: .plist)?.contains("as plist: ") == true)
    #expect(failure(of: User(), as: .plist(PropertyListEncoder()))?.contains("Set its output format to text") == true)
    #expect(failure(of: Date() as Any, as: .json)?.contains("whose declared type is Encodable") == true)
    #expect(failure(of: ["a": [1, .nan]], as: .json)?.contains("a[1]") == true)
    #expect(failure(of: [Double.nan] as Any, as: .json)?.contains("finite numbers") == true)
  }
}

private enum Direction: String, CaseIterable {
  case up, down, left, right
  var rotatedLeft: Direction {
    switch self {
    case .up: .left
    case .down: .right
    case .left: .down
    case .right: .up
    }
  }
}

@Suite("Functions")
struct FunctionTests {
  @Test("func(into:) shows a row for each case of the input")
  func functions() {
    let strategy = Snapshotting<Direction, String>.func(into: Snapshotting<Direction, String>.description)
    #expect(
      taken({ $0.rotatedLeft }, as: strategy)
        == "\"up\",\"left\"\n\"down\",\"right\"\n\"left\",\"down\"\n\"right\",\"up\"")
    #expect(strategy.pathExtension == "csv")
  }

  @Test("func(into:) keeps the order of asynchronous results")
  func slowFunctions() async throws {
    let slow = SimplySnapshotting<String>.lines.asyncPullback { (direction: Direction) in
      Parallel<String> { callback in DispatchQueue.global().async { callback(direction.rawValue) } }
    }
    let strategy = Snapshotting<Direction, String>.func(into: slow)
    let text = try await strategy.snapshot { $0 }.value()
    #expect(text.split(separator: "\n").map { $0.prefix(3) } == ["\"up", "\"do", "\"le", "\"ri"])
  }
}
