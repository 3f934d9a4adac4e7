import Foundation
import TestSupport
import Testing

@testable import Snapshotting

/// The types whose data the format of swift-snapshot-testing omits.
///
/// `dump` keeps this format.
private let incompleteInDump: Set<String> = [
  "an object of Foundation", "a SIMD vector", "an optional of nil",
  "short Data", "long Data", "a slice of Data", "Date", "an NSArray of numbers and texts", "NSCountedSet",
  "NSIndexSet", "NSRegularExpression", "NSDate", "Unit", "a URLRequest's body", "DispatchData", "NSDateComponents",
  "NSDateInterval", "NSIndexPath", "NSLocale", "NSMeasurement", "NSMutableURLRequest", "NSPersonNameComponents",
  "NSURLComponents", "NSURLQueryItem", "NSURLRequest", "URLResponse", "a point or a size in NSValue",
  "a unit with another coefficient", "a unit with another constant", "a unit with another converter",
  "a unit with a reciprocal converter", "a unit with own data", "UnitConverterLinear",
  "a measurement in a unit with another coefficient",
]

/// The types for which `dump` shows addresses or entries in a random order, as in swift-snapshot-testing.
private let unstableInDump: Set<String> = ["TimeZone", "Calendar", "DateComponents"]

@Suite("Values of Foundation")
struct FoundationTests {
  @Test(
    "readable shows the same text for the same data in every order, and another text for other data",
    arguments: foundationSamples
  )
  func readable(sample: FoundationSample) throws {
    let text = try #require(taken(sample.make(false), as: .readable))
    for _ in 1...6 { #expect(taken(sample.make(false), as: .readable) == text) }
    #expect(taken(sample.make(true), as: .readable) != text)
    #expect(!text.contains("0x"))
  }

  @Test(
    "readable of a value whose data it cannot show fails, and names the type and a solution",
    arguments: hiddenFoundationSamples)
  func hidden(sample: FoundationSample) throws {
    for value in [sample.make(false), ["nested": [sample.make(false), sample.make(true)]]] {
      let log = SnapshotLog()
      let strategy = Snapshotting<Any, String>.readable
      let text = try #require(immediateValue(of: strategy.capture(value, SnapshotContext(log: log))))
      #expect(!text.contains("0x"))
      #expect(log.entries.map(\.kind) == [.failure])
      let message = try #require(log.entries.first?.message)
      #expect(message.contains("Cannot show the data of \(sample.testDescription)"))
      #expect(message.contains("AnySnapshotStringConvertible"))
    }
  }

  @Test("values without data, such as locks and closures, do not fail") func withoutData() throws {
    let values: [Any] = [NSLock(), NSRecursiveLock(), NSCondition(), NSNull(), NSObject(), EmptyObject(), { 1 }]
    for value in values {
      let log = SnapshotLog()
      let strategy = Snapshotting<Any, String>.readable
      #expect(immediateValue(of: strategy.capture(value, SnapshotContext(log: log)))?.contains("0x") == false)
      #expect(log.entries.isEmpty)
    }
  }

  @Test("a collection of Foundation that contains itself is shown once", arguments: [true, false])
  func cyclicCollections(isArray: Bool) throws {
    let (array, dictionary) = (NSMutableArray(), NSMutableDictionary())
    if isArray { array.add(array) } else { dictionary["a"] = dictionary }
    defer {
      array.removeAllObjects()
      dictionary.removeAllObjects()
    }
    let value: NSObject = isArray ? array : dictionary
    #expect(try #require(taken(value, as: .readable)).contains("shown above"))
    #expect(try #require(taken(value, as: .dump)).contains("circular reference detected"))
  }

  @Test("a graph of shared collections of Foundation is dumped in time")
  func sharedCollections() throws {
    var (array, dictionary) = (NSArray(), NSDictionary())
    for _ in 1...40 {
      array = NSArray(array: [array, array])
      dictionary = NSDictionary(dictionary: ["a": dictionary, "b": dictionary])
    }
    for (value, form) in [(dictionary, ReadableForm.self), (array, StandardForm.self)] as [(Any, any DumpForm.Type)] {
      let tree = TreeBuilder.tree(of: value, as: form, largeDump: 1_000)
      #expect(tree.nodes.count < 10_000 && tree.nodes.contains { $0.text.contains("shown above, object") })
    }
  }

  @Test("an object of Foundation that contains itself is shown once") func cycle() throws {
    let object = DerivedObject(1)
    object.next = object
    defer { object.next = nil }
    #expect(try #require(taken(object, as: .readable)).contains("shown above"))
  }

  @Test(
    "dump shows the same text for the same data in every order",
    arguments: foundationSamples.filter { !unstableInDump.contains($0.testDescription) })
  func dump(sample: FoundationSample) throws {
    let text = try #require(taken(sample.make(false), as: .dump))
    for _ in 1...6 { #expect(taken(sample.make(false), as: .dump) == text) }
    if !incompleteInDump.contains(sample.testDescription) { #expect(taken(sample.make(true), as: .dump) != text) }
  }

  @Test("dump of an error or an attributed string with one entry is its description, as in swift-snapshot-testing")
  func dumpFormat() {
    let error = NSError(domain: "d", code: 1, userInfo: ["a": "b"])
    #expect(taken(error, as: .dump) == "- \(error)\n")
    var text = AttributedString("hello")
    text.languageIdentifier = "de"
    #expect(taken(text, as: .dump) == "- \(text)\n")
    #expect(taken(text + AttributedString("!"), as: .dump) == "- \(text + AttributedString("!"))\n")
  }

  @Test("error shows the entries of an error in order")
  func errors() throws {
    func text(_ error: any Error) -> String? { taken(error, as: .error) }
    let first = try #require(text(URLError(.badURL, userInfo: unorderedEntries(false))))
    for _ in 1...6 { #expect(text(URLError(.badURL, userInfo: unorderedEntries(false))) == first) }
  }

  @Test("json and plist do not depend on the order of a dictionary")
  func encoded() {
    for strategy in [Snapshotting<[String: Int], String>.json, .plist] {
      let texts = (1...20).map { _ in taken(unorderedEntries(false).compactMapValues { $0 as? Int }, as: strategy) }
      #expect(Set(texts).count == 1)
    }
  }
}
