import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

@testable import Snapshotting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct Ticket: ~Copyable {
  var number: Int
}

private final class Counter {
  let state: Mutex<Int>
  init(_ number: Int) { state = Mutex(number) }
}

private final class Flags {
  let flag: Atomic<Int>
  init(_ number: Int) { flag = Atomic(number) }
}

private final class Gate {
  let ticket: Ticket
  init(_ number: Int) { ticket = Ticket(number: number) }
}

private class Base {
  let lock: Mutex<Int>
  init(_ number: Int) { lock = Mutex(number) }
}

private final class Derived: Base, CustomReflectable {
  var customMirror: Mirror { Mirror(self, children: ["fixed": 1]) }
}

private class Shown: CustomReflectable {
  var customMirror: Mirror { Mirror(self, children: ["fixed": 1]) }
}

private final class Below: Shown {
  let number: Int
  init(_ number: Int) { self.number = number }
}

private final class Cell<Value> {
  let state: Mutex<Int>
  let nothing: Void = ()
  let value: Value
  init(_ number: Int, _ value: Value) {
    state = Mutex(number)
    self.value = value
  }
}

private enum Code: Error, CustomStringConvertible {
  case low, high
  var description: String { "code" }
}

private final class Buffer: ManagedBuffer<Int, String> {}

private func buffer(_ text: String) -> ManagedBuffer<Int, String> {
  let buffer = Buffer.create(minimumCapacity: 1) { _ in 1 }
  buffer.withUnsafeMutablePointerToElements { $0.initialize(to: text) }
  return buffer
}

private struct Custom: CustomReflectable {
  let style: Mirror.DisplayStyle
  let number: Int
  var customMirror: Mirror { Mirror(self, children: ["first": 0, "second": number], displayStyle: style) }
}

private struct Renamed: CustomReflectable {
  let style: Mirror.DisplayStyle
  let isOther: Bool
  var customMirror: Mirror {
    Mirror(self, children: [isOther ? "a" : "b": 0, "second": 1], displayStyle: style)
  }
}

private func json(_ text: String) -> Any {
  (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as Any
}

private func address(_ last: UInt8) -> in6_addr {
  var address = in6_addr()
  withUnsafeMutableBytes(of: &address) { $0[15] = last }
  return address
}

/// Values with data that Swift's reflection leaves out.
private let samples: [FoundationSample] =
  [
    FoundationSample("a Mutex") { Counter($0 ? 1 : 2) },
    FoundationSample("an Atomic") { Flags($0 ? 1 : 2) },
    FoundationSample("a structure that is not copyable") { Gate($0 ? 1 : 2) },
    FoundationSample("a Mutex of a superclass below a custom mirror") { Derived($0 ? 1 : 2) },
    FoundationSample("a member of a class below a custom mirror") { Below($0 ? 1 : 2) },
    FoundationSample("the elements of a ManagedBuffer") { buffer($0 ? "a" : "b") },
    FoundationSample("an InlineArray") { $0 ? [1, 2] as InlineArray<2, Int> : [1, 3] as InlineArray<2, Int> },
    FoundationSample("an array of fixed size") { $0 ? [1, 2, 3, 4] as [4 of UInt8] : [1, 2, 3, 5] as [4 of UInt8] },
    FoundationSample("an InlineArray of InlineArrays") {
      $0 ? [[1], [2]] as InlineArray<2, InlineArray<1, Int>> : [[1], [3]] as InlineArray<2, InlineArray<1, Int>>
    },
    FoundationSample("a C union in a structure") { address($0 ? 1 : 2) },
    FoundationSample("a C structure with a C union below it") {
      var socket = sockaddr_in6()
      socket.sin6_addr = address($0 ? 1 : 2)
      return socket
    },
    FoundationSample("true and 1 of JSON") { json($0 ? "[true]" : "[1]") },
    FoundationSample("1 and 1.5 of JSON") { json($0 ? "[1]" : "[1.5]") },
    FoundationSample("true and 1 of NSNumber") { $0 ? NSNumber(value: true) : NSNumber(value: 1) },
    FoundationSample("the keys of a dictionary") { [$0 ? 1 : 2: 0].keys },
    FoundationSample("the values of a dictionary") { [0: $0 ? 1 : 2].values },
    FoundationSample("a large number") {
      $0 ? 18_446_744_073_709_551_616 as StaticBigInt : 18_446_744_073_709_551_617 as StaticBigInt
    },
    FoundationSample("an iterator of a dictionary") { [$0 ? 1 : 2: 0].makeIterator() },
    FoundationSample("the mirror of a value") { Mirror(reflecting: Custom(style: .struct, number: $0 ? 1 : 2)) },
    FoundationSample("a part of a text that looks like two elements") { $0 ? ["a", "b"[...]] : ["a,\n  b"[...]] },
    FoundationSample("an Int128") { Int128($0 ? 1 : 2) },
    FoundationSample("a Float16") { Float16($0 ? 1 : 2) },
    FoundationSample("a type-erased collection") { AnyCollection($0 ? [1] : [2]) },
    FoundationSample("the body stream of a request") {
      var request = URLRequest(url: URL(fileURLWithPath: "/a"))
      request.httpBodyStream = InputStream(data: Data([$0 ? 1 : 2]))
      return request
    },
  ]
  + ([.dictionary, .set, .collection, .optional, .tuple, .enum, .struct, .class] as [Mirror.DisplayStyle]).flatMap {
    style in
    [
      FoundationSample("the second child of a custom mirror in the style \(style)") {
        Custom(style: style, number: $0 ? 1 : 2)
      },
      FoundationSample("the labels of a custom mirror in the style \(style)") { Renamed(style: style, isOther: $0) },
    ]
  }

/// Values with descriptions or mirrors that leave out data, which `dump` shows like swift-snapshot-testing.
private let describedSamples = [
  FoundationSample("a described case") { $0 ? Code.low : .high },
  FoundationSample("a described error") { Result<Int, any Error>.failure($0 ? Code.low : .high) },
  FoundationSample("a described key") { [$0 ? Code.low : .high: 1] },
  FoundationSample("an optional of an optional of nil") { Int???.some($0 ? nil : .some(nil)) as Any },
  FoundationSample("a long duration") { Duration.seconds(10_000_000) + .nanoseconds($0 ? 0 : 1) },
  FoundationSample("a time zone with seconds") { TimeZone(secondsFromGMT: $0 ? 3600 : 3601) as Any },
  FoundationSample("an attribute of a text") {
    AttributedString("a", attributes: AttributeContainer().alternateDescription($0 ? "x\nb\nc" : "x\nc\nb"))
  },
]

private func shown(_ value: Any, as strategy: Snapshotting<Any, String>) throws -> (text: String, log: SnapshotLog) {
  let log = SnapshotLog()
  let text = try #require(immediateValue(of: strategy.capture(value, SnapshotContext(log: log))))
  return (text, log)
}

@Suite("Data that reflection does not show")
struct ReflectionTests {
  @Test("readable shows the data of a value, or fails", arguments: samples + describedSamples)
  func readable(sample: FoundationSample) throws {
    let texts = try [false, true].map { try shown(sample.make($0), as: .readable) }
    #expect(texts[0].text != texts[1].text || texts.allSatisfy { $0.log.entries.map(\.kind) == [.failure] })
    #expect(!texts[0].text.contains("0x0000") && !texts[0].text.contains("invalid type"))
    let nested = try shown(["key": [sample.make(false)]], as: .readable)
    #expect(nested.log.entries.map(\.kind) == texts[0].log.entries.map(\.kind))
  }

  @Test("dump has the bytes of swift-snapshot-testing, and warns", arguments: samples)
  func dump(sample: FoundationSample) throws {
    let texts = try [false, true].map { try shown(sample.make($0), as: .dump) }
    #expect(texts[0].text != texts[1].text || texts.contains { $0.log.entries.map(\.kind) == [.warning] })
  }
}

@Observable private final class Model {
  var count = 1
  @ObservationIgnored var cache = "a"
  @ObservationIgnored var _$token = 2
}

@propertyWrapper private struct Limited {
  var wrappedValue: Int
  var limit = 9
}

private final class Settings {
  @Limited var volume = 3
  lazy var total = volume + 1
  var _raw = 0
}

private actor Account {
  var balance = 5
}

@Suite("Names of members")
struct MemberNameTests {
  @Test("an observable model shows its properties by their names, also after an observation")
  func observable() {
    let model = Model()
    let expected = "Model(\n  count: 1,\n  cache: \"a\",\n  $token: 2\n)"
    #expect(taken(model, as: .readable) == expected)
    withObservationTracking {
      _ = model.count
    } onChange: {
    }
    #expect(taken(model, as: .readable) == expected)
  }

  @Test("wrapped and lazy properties have their names in the source, and other underscores are kept")
  func wrapped() {
    let settings = Settings()
    #expect(
      taken(settings, as: .readable)
        == "Settings(\n  volume: Limited(\n    wrappedValue: 3,\n    limit: 9\n  ),\n  total: nil,\n  _raw: 0\n)")
    #expect(taken(Account(), as: .readable) == "Account(balance: 5)")
  }

  @Test("the failure names the path and the type of a member, and what to do")
  func message() throws {
    let (_, log) = try shown(["a": [Counter(1)]], as: .readable)
    let message = try #require(log.entries.first?.message)
    #expect(message.hasPrefix("Cannot show all data of Dictionary<String, Array<Counter>>[\"a\"][0].state: "))
    #expect(message.contains("'withLock { $0 }'") && message.contains("customMirror"))
    let (_, other) = try shown([DateFormatter()], as: .readable)
    #expect(other.entries.first?.message.contains("Array<DateFormatter>[0] of type DateFormatter") == true)
  }

  @Test("members of type Void are shown, and a Mutex beside them is not")
  func void() throws {
    let (text, log) = try shown(Cell(1, ()), as: .readable)
    #expect(text.hasSuffix("(…),\n  nothing: (),\n  value: ()\n)") && log.entries.count == 1)
  }

  @Test("an object with a custom mirror that shows a member that is not copyable passes")
  func solution() throws {
    final class Solved: CustomReflectable {
      let state = Mutex(7)
      var customMirror: Mirror { Mirror(self, children: ["state": state.withLock { $0 }]) }
    }
    let (text, log) = try shown(Solved(), as: .readable)
    #expect(text == "Solved(state: 7)" && log.entries.isEmpty)
  }

  @Test("a part that is not shown because it differs in each process is a type with (…)")
  func handles() {
    let values: [Any] = [
      ObjectIdentifier(Int.self), UnsafeRawPointer(bitPattern: 1) as Any, OpaquePointer(bitPattern: 1) as Any,
      Task<Int, Never> { 1 }, { 1 } as () -> Int, DispatchQueue(label: "a"), DispatchWorkItem {}, Set([1]).startIndex,
    ]
    #expect(
      values.map { taken($0, as: .readable) } == [
        "ObjectIdentifier(…)", "UnsafeRawPointer(…)", "OpaquePointer(…)", "Task<Int, Never>(…)", "(() -> Int)(…)",
        "DispatchQueue(…)", "DispatchWorkItem(…)", "Set<Int>.Index(…)",
      ])
  }
}
