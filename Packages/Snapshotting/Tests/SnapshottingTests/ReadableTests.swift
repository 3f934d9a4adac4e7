import Foundation
import TestSupport
import Testing

@testable import Snapshotting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct User {
  var name = "Blobby"
  var joined = Date(timeIntervalSince1970: 1_234_567_890.75)
  var balance = Decimal(125) / 100
  var site = URL(string: "https://example.com/b")
  var friends = ["Ann", "Bo"]
  var nickname: String?
}

private class Animal { var legs = 4 }
private final class Cat: Animal {
  var name = "Tom"
  var prey: Animal?
}

private final class Key: Hashable {
  var table: [Key: Int] = [:]

  static func == (left: Key, right: Key) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private final class Node {
  var next: [Node] = []
}

private enum Sea {
  enum Failure: Error, Hashable { case lost, late(by: Int) }
  struct Item { var name = "a" }
}

private enum Private {
  fileprivate struct Item {}
}

private enum Land {
  enum Failure: Error, Hashable { case lost, late(by: Int) }
  struct Item { var name = "a" }
}

private enum Shape: Sendable {
  case point
  case circle(radius: Double)
  case box(Int, Int)
  case named(String, inside: [Int])
}

@Suite("The text of readable")
struct ReadableTests {
  @Test("a date keeps its fraction, a decimal is a number, and members are in the order of their declaration")
  func structure() {
    #expect(
      taken(User(), as: .readable) == """
        User(
          name: "Blobby",
          joined: Date(2009-02-13T23:31:30.75Z),
          balance: 1.25,
          site: URL(https://example.com/b),
          friends: [
            "Ann",
            "Bo"
          ],
          nickname: nil
        )
        """)
  }

  @Test("members of superclasses are shown, and cycles end")
  func classes() {
    let cat = Cat()
    cat.prey = cat
    defer { cat.prey = nil }
    #expect(
      taken(cat, as: .readable) == """
        Cat(
          legs: 4,
          name: "Tom",
          prey: Cat(↩︎ shown 1 level above)
        )
        """)
  }

  @Test("enum cases are shown as in source code")
  func cases() {
    #expect(taken(Shape.point, as: .readable) == ".point")
    #expect(taken(Shape.circle(radius: 1.5), as: .readable) == ".circle(radius: 1.5)")
    #expect(taken(Shape.box(1, 2), as: .readable) == ".box(1, 2)")
    #expect(
      taken(Shape.named("x", inside: [1]), as: .readable) == """
        .named(
          "x",
          inside: [
            1
          ]
        )
        """)
  }

  @Test("a reference back to an object says how many levels above the object is")
  func cycles() {
    let (first, second) = (Node(), Node())
    first.next = [second]
    second.next = [first]
    let text = taken(first, as: .readable)
    second.next = [second]
    defer { second.next = [] }
    #expect(text?.contains("Node(↩︎ shown 4 levels above)") == true)
    #expect(taken(first, as: .readable)?.contains("Node(↩︎ shown 2 levels above)") == true)
  }

  @Test("a key that contains its dictionary is shown once")
  func cyclicKey() {
    let key = Key()
    key.table[key] = 1
    defer { key.table = [:] }
    #expect(completeLine(of: key) == "Key(table: [Key(↩︎ shown 2 levels above): 1])")
  }

  @Test("keys with equal texts are sorted by their values")
  func equalKeys() {
    let text = (11...30).map { "  UnsafeRawPointer(…): \($0)" }.joined(separator: ",\n")
    let table = Dictionary(uniqueKeysWithValues: (11...30).map { (UnsafeRawPointer(bitPattern: $0), $0) })
    #expect(taken(table, as: .readable) == "[\n\(text)\n]")
  }

  @Test("a value has the full name of its type if its declaration does not determine the type")
  func openTypes() {
    func texts(_ values: [Any]) -> [String?] { values.map { taken($0, as: .readable) } }
    #expect(texts([Sea.Failure.lost, Land.Failure.lost]) == ["Sea.Failure.lost", "Land.Failure.lost"])
    #expect(taken(Sea.Failure.late(by: 1) as any Error, as: .readable) == "Sea.Failure.late(by: 1)")
    #expect(texts([Sea.Item(), Shape.point]) == [#"Sea.Item(name: "a")"#, "Shape.point"])
    let item = #"Land.Item(name: "a")"#
    #expect(texts([[Land.Item()], Land.Item?(Land.Item()) as Any]) == ["[\n  \(item)\n]", item])
    let hashed: [Any] = [[Sea.Failure.lost: 1], Set([AnyHashable(Sea.Failure.lost)])]
    #expect(texts(hashed) == ["[\n  Sea.Failure.lost: 1\n]", "Set([\n  Sea.Failure.lost\n])"])
    #expect(taken(Result<Int, any Error>.failure(Land.Failure.lost), as: .readable) == ".failure(Land.Failure.lost)")
    struct Local { enum Side { case left } }
    #expect(texts([Local.Side.left, Private.Item()]) == ["Local.Side.left", "Private.Item()"])
    #expect(texts([Sea.Item.self, [Land.Item].self]) == ["Sea.Item.self", "Array<Land.Item>.self"])
  }

  @Test("a value has the short name of its type if its declaration determines the type")
  func closedTypes() {
    #expect(taken(Sea.Item(), as: .readable) == #"Item(name: "a")"#)
    #expect(taken([Sea.Failure.lost], as: .readable) == "[\n  .lost\n]")
    // The arguments of a test, in the name of its reference.
    #expect(completeLine(of: Shape.point as any Sendable) == ".point")
    let result = Result<Int, Sea.Failure>.failure(.lost)
    #expect(taken(result as Any, as: .readable) == "Result<Int, Sea.Failure>.failure(.lost)")
  }

  @Test("dictionaries and sets are sorted, numbers by size, and keys are on one line")
  func order() {
    #expect(taken([10: "b", 2: "c", -1: "a"], as: .readable) == "[\n  -1: \"a\",\n  2: \"c\",\n  10: \"b\"\n]")
    #expect(taken(Set([10.5, 9, .nan]), as: .readable) == "Set([\n  9.0,\n  10.5,\n  nan\n])")
    #expect(taken(Set([AnyHashable(10), 9, "a"]), as: .readable) == "Set([\n  9,\n  10,\n  \"a\"\n])")
    #expect(taken([[1, 2]: true], as: .readable) == "[\n  [1, 2]: true\n]")
    #expect(taken([:] as [Int: Int], as: .readable) == "[:]")
  }

  @Test("bytes are shown in hexadecimal")
  func bytes() {
    #expect(taken(Data([0, 255, 16]), as: .readable) == "Data(3 bytes, 00 ff 10)")
    #expect(taken(Data(), as: .readable) == "Data(0 bytes)")
  }
}

@Suite("Texts of data")
struct DataTests {
  @Test("readable shows all bytes, and more than sixteen in rows")
  func bytes() {
    #expect(
      taken(Data(repeating: 1, count: 33), as: .readable)
        == "Data(33 bytes, \n\(Array(repeating: "01", count: 32).joined(separator: " "))\n01)")
    #expect(taken(["a": UnsafeRawPointer(bitPattern: 1)], as: .readable) == "[\n  \"a\": UnsafeRawPointer(…)\n]")
  }

  @Test("requests with different binary bodies have different texts")
  func binaryBodies() {
    let texts = ([[255, 1], [255, 2], [254, 1]] as [[UInt8]]).map { bytes in
      var request = URLRequest(url: URL(fileURLWithPath: "/a"))
      request.httpBody = Data(bytes)
      return taken(request, as: .raw)
    }
    #expect(Set(texts).count == 3)
  }
}
