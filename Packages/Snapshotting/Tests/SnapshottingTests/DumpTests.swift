import Foundation
import TestSupport
import Testing

@testable import Snapshotting

private struct User {
  var name = "Blobby"
  var id = 1
  var bio = "Blobbed \"around\"\n the wörld"
  var site = URL(string: "https://example.com/b")
  var joined = Date(timeIntervalSince1970: 1_234_567_890.75)
  var balance = Decimal(1)
  var nickname: String?
}

private final class Person {
  var name: String
  var friend: Person?
  init(_ name: String) { self.name = name }
}

private enum Shape {
  case point
  case circle(radius: Double)
  case box(Int, Int)
}

private struct Secret: AnySnapshotStringConvertible, Hashable {
  var token = UUID()
  var snapshotDescription: String { "Secret" }
}

private struct Labelled: AnySnapshotStringConvertible {
  static var renderChildren: Bool { true }
  var inner = 1
  var snapshotDescription: String { "labelled" }
}

@Suite("dump is byte-compatible with swift-snapshot-testing")
struct DumpTests {
  @Test("members are sorted by name, dates lose their fraction, and decimals show their storage")
  func structure() {
    let storage = taken(Decimal(1), as: .dump) ?? ""
    let indented = storage.split(separator: "\n").dropFirst().map { "  \($0)\n" }.joined()
    #expect(
      taken(User(), as: .dump) == """
        ▿ User
          ▿ balance: 1
        \(indented)  - bio: "Blobbed \\"around\\"\\n the wörld"
          - id: 1
          - joined: 2009-02-13T23:31:30Z
          - name: "Blobby"
          - nickname: Optional<String>.none
          ▿ site: Optional<URL>
            - some: https://example.com/b

        """)
    #expect(storage.contains("mantissa"))
  }

  @Test("collections show their count, and dictionaries and sets are sorted by the texts of their elements")
  func collections() {
    #expect(
      taken([10: "b", 2: "c", 1: "a"], as: .dump) == """
        ▿ 3 key/value pairs
          ▿ (2 elements)
            - key: 1
            - value: "a"
          ▿ (2 elements)
            - key: 10
            - value: "b"
          ▿ (2 elements)
            - key: 2
            - value: "c"

        """)
    #expect(
      taken(Set(["b", "é", "z", "a b", "a"]), as: .dump) == """
        ▿ 5 members
          - "a b"
          - "a"
          - "b"
          - "z"
          - "é"

        """)
    #expect(taken([1], as: .dump) == "▿ 1 element\n  - 1\n")
    #expect(taken([] as [Int], as: .dump) == "- 0 elements\n")
    #expect(taken((1, named: "x"), as: .dump) == "▿ (2 elements)\n  - .0: 1\n  - named: \"x\"\n")
  }

  @Test("cases and optionals have their types")
  func cases() {
    #expect(taken(Shape.point, as: .dump) == "- Shape.point\n")
    #expect(taken(Shape.circle(radius: 1.5), as: .dump) == "▿ Shape\n  ▿ circle: (1 element)\n    - radius: 1.5\n")
    #expect(taken(Shape.box(1, 2), as: .dump) == "▿ Shape\n  ▿ box: (2 elements)\n    - .0: 1\n    - .1: 2\n")
    #expect(taken(Int?.some(5), as: .dump) == "▿ Optional<Int>\n  - some: 5\n")
  }

  @Test("an object that contains itself is shown once, and a shared object twice")
  func cycles() {
    let (ann, bo) = (Person("Ann"), Person("Bo"))
    ann.friend = bo
    bo.friend = ann
    defer { ann.friend = nil }
    #expect(
      taken(ann, as: .dump) == """
        ▿ Person
          ▿ friend: Optional<Person>
            ▿ some: Person
              ▿ friend: Optional<Person>
                ▿ some (circular reference detected)
              - name: "Bo"
          - name: "Ann"

        """)
    let cy = Person("Cy")
    #expect(taken([cy, cy], as: .dump)?.split(separator: "\n").filter { $0.hasSuffix("\"Cy\"") }.count == 2)
  }

  @Test("a convertible type has its own text, with or without its contents, also in an AnyHashable")
  func convertible() {
    #expect(taken(["a": Secret()], as: .dump)?.hasSuffix("    - value: Secret\n") == true)
    #expect(taken(AnyHashable(Secret()), as: .dump) == "- Secret\n")
    #expect(taken(AnyHashable("x"), as: .dump) == "- \"x\"\n")
    #expect(taken(AnyHashable(3), as: .dump) == "▿ 3\n  - value: 3\n")
    #expect(taken(Labelled(), as: .dump) == "▿ labelled\n  - inner: 1\n")
  }

  @Test("the numbers of local types are omitted")
  func localTypes() {
    struct Local { var x = 1 }
    #expect(taken(Local(), as: .dump) == "▿ Local\n  - x: 1\n")
    #expect(taken([Local](), as: .dump) == "- 0 elements\n")
  }

  @Test("texts and data of Foundation have their own texts")
  func foundation() {
    #expect(taken("a"[...], as: .dump) == "- \"a\"\n")
    #expect(taken(Character("\n"), as: .dump) == "- \"\\n\"\n")
    #expect(taken(Data([1, 2, 3]), as: .dump) == "- 3 bytes\n")
  }
}

@Suite("The limits of a dump", .timeLimit(.minutes(5)))
struct DumpLimitTests {
  private struct Wrapped { var inner: Any }

  private final class Link {
    var number: Int
    var next: Link?
    init(_ number: Int, _ next: Link?) { (self.number, self.next) = (number, next) }
  }

  private struct Endless: CustomReflectable, Hashable {
    let count: Int
    var style = Mirror.DisplayStyle.struct
    var customMirror: Mirror {
      Mirror(self, children: (0..<count).lazy.map { ("\($0)", self as Any) }, displayStyle: style)
    }
  }

  private func failure<Value>(
    _ value: Value, as strategy: Snapshotting<Value, String>
  ) -> (text: String, message: String)? {
    let log = SnapshotLog()
    let text = immediateValue(of: strategy.capture(value, SnapshotContext(log: log)))
    guard let text, !log.entries.isEmpty, log.entries.allSatisfy({ $0.kind == .failure }) else { return nil }
    return (text, log.entries.map(\.message).joined(separator: "\n"))
  }

  @Test("a value with hundreds of levels needs no stack", arguments: [false, true])
  func deep(isReadable: Bool) {
    var value: Any = 1
    for _ in 1...900 { value = Wrapped(inner: value) }
    let log = SnapshotLog()
    let strategy: Snapshotting<Any, String> = isReadable ? .readable : .dump
    let text = immediateValue(of: strategy.capture(value, SnapshotContext(log: log)))
    #expect(text?.contains("inner: 1") == true && log.entries.isEmpty)
  }

  @Test("a list of 20,000 nodes ends at 1,000 levels, with an end line and a failure", arguments: [false, true])
  func list(isReadable: Bool) throws {
    var list = Link(0, nil)
    for number in 1...20_000 { list = Link(number, list) }
    defer { while let next = list.next { (list.next, list) = (nil, next) } }
    let (text, message) = try #require(failure(list, as: isReadable ? .readable : .dump))
    #expect(text.contains("… (the dump ends here: it has more than 1000 levels)") && text.utf8.count < 5_000_000)
    #expect(message.contains("Link.next") && message.contains("1000 levels"))
  }

  @Test("nested optionals end at 1,000 levels, with a failure")
  func optionals() throws {
    var value: Any? = 1
    for _ in 1...3_000 { value = .some(value as Any) }
    #expect(try #require(failure(value as Any, as: .readable)).message.contains("1000 levels"))
  }

  @Test(
    "an endless mirror ends at the limit of the text, also as a key, in each style", arguments: [2, .max],
    [.struct, .class, .tuple, .dictionary, .set] as [Mirror.DisplayStyle])
  func branching(count: Int, style: Mirror.DisplayStyle) throws {
    let value = Endless(count: count, style: style)
    for dump in [
      Dump(value, isReadable: true, maximumDepth: 50, maximumBytes: 20_000),
      Dump([value: 1], isReadable: true, maximumDepth: 50, maximumBytes: 20_000),
      Dump(value, isReadable: false, maximumDepth: 50, maximumBytes: 20_000),
    ] {
      #expect(dump.nodes.count < 4_000 && dump.gaps.values.allSatisfy(\.isLimit))
      #expect(dump.nodes.last?.text == "… (the dump ends here: it has more than 20000 bytes)")
    }
  }
}
