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

  @Test("a set of sets is sorted at every level")
  func nestedSets() {
    let value = Set([Set([3, 1]), Set([2]), Set<Int>()])
    #expect(
      taken(value, as: .dump) == """
        ▿ 3 members
          - 0 members
          ▿ 1 member
            - 2
          ▿ 2 members
            - 1
            - 3

        """)
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

  @Test("dates are Gregorian and in UTC, as in the output of a formatter")
  func dates() throws {
    let formatter = DateFormatter()
    formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ssZZZZZ"
    formatter.calendar = Calendar(identifier: .gregorian)
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    // From the Gregorian reform, which the formatter implements, to the year 9999.
    try checkProperty("dump(date) = format(date)", count: 300, .int(in: -12_219_292_800...253_402_300_799)) { second in
      let date = Date(timeIntervalSince1970: Double(second))
      return taken(date, as: .dump) == "- \(formatter.string(from: date))\n"
    }
  }
}

@Suite("The cost of dump and readable")
struct DumpCostTests {
  private struct Counted: CustomReflectable, Hashable {
    let log: Log<Int>
    let inner: [Counted]
    var customMirror: Mirror {
      log.append(1)
      return Mirror(self, children: ["b": inner, "a": 1], displayStyle: .struct)
    }
    static func == (left: Counted, right: Counted) -> Bool { left.log === right.log && left.inner == right.inner }
    func hash(into hasher: inout Hasher) { hasher.combine(inner.count) }
  }

  @Test("each value is read once, at any depth")
  func once() {
    for strategy in [Snapshotting<Counted, String>.dump, .readable] {
      let log = Log<Int>()
      var value = Counted(log: log, inner: [])
      for _ in 1...50 { value = Counted(log: log, inner: [value]) }
      _ = taken(value, as: strategy)
      #expect(log.count == 51)
    }
  }
}

@Suite("Graphs of shared objects", .timeLimit(.minutes(1)))
struct GraphTests {
  private final class Node {
    var (left, right): (Node?, Node?)
    var name: String

    init(_ name: String, _ left: Node? = nil, _ right: Node? = nil) {
      (self.name, self.left, self.right) = (name, left, right)
    }
  }

  private func graph(levels: Int, swapping swapped: Int? = nil) -> Node {
    var (first, second) = (Node("a0"), Node("b0"))
    for level in 1...levels {
      let isSwapped = level == swapped
      (first, second) = (
        Node("a\(level)", isSwapped ? second : first, second), Node("b\(level)", first, second)
      )
    }
    return Node("root", first, second)
  }

  @Test("a small graph is shown for each path, as in swift-snapshot-testing")
  func small() throws {
    let text = try #require(taken(graph(levels: 3), as: .dump))
    #expect(text.split(separator: "\n").count { $0.hasSuffix("name: \"a0\"") } == 8)
  }

  @Test("a graph with millions of paths is shown in time", arguments: [false, true])
  func large(isReadable: Bool) throws {
    let strategy: Snapshotting<Node, String> = isReadable ? .readable : .dump
    let text = try #require(taken(graph(levels: 40), as: strategy))
    #expect(text.utf8.count < 20_000_000 && text.contains("shown above, object"))
  }

  @Test("any difference in a graph with millions of paths is visible", arguments: 1...40)
  func difference(swapped: Int) {
    for form in [ReadableForm.self, StandardForm.self] as [any DumpForm.Type] {
      let texts = [nil, swapped].map { swapped in
        TreeBuilder.tree(of: graph(levels: 40, swapping: swapped), as: form, largeDump: 1_000).nodes.map(\.text)
      }
      #expect(texts[0] != texts[1])
    }
  }
}

@Suite("Deep values") struct DeepTests {
  private struct Wrapped { var inner: Any }

  @Test("a value with thousands of levels needs no stack")
  func deep() {
    var value: Any = 1
    for _ in 1...3_000 { value = Wrapped(inner: value) }
    #expect(taken(value, as: .dump)?.utf8.split(separator: UInt8(ascii: "\n")).count == 3_001)
    #expect(taken(value, as: .readable)?.isEmpty == false)
  }
}
