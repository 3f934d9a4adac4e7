import Foundation
import TestSupport
import Testing

@testable import Snapshotting

/// The types whose data the format of swift-snapshot-testing omits.
///
/// `dump` keeps this format.
private let incompleteInDump: Set<String> = [
  "an object of Foundation", "an object with a description", "a unit with a converter",
  "a measurement in a unit with a converter", "a time zone that follows the settings", "a SIMD vector",
  "long Data", "a slice of Data", "Date", "NSDate", "an NSArray of numbers and texts", "Unit",
  "a URLRequest's body",
]

/// The types for which `dump` shows addresses or entries in a random order, as in swift-snapshot-testing.
private let unstableInDump: Set<String> = [
  "TimeZone", "Calendar", "DateComponents", "AttributedString", "Notification", "NSError",
  "URLError",
]

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
      #expect(message.contains(sample.testDescription) && message.contains("snapshotDescription"))
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
    #expect(try #require(taken(value, as: .readable)).contains("shown 1 level above"))
    #expect(try #require(taken(value, as: .dump)).contains("circular reference detected"))
  }

  @Test(
    "dump shows the same text for the same data in every order",
    arguments: foundationSamples.filter { !unstableInDump.contains($0.testDescription) })
  func dump(sample: FoundationSample) throws {
    let text = try #require(taken(sample.make(false), as: .dump))
    for _ in 1...6 { #expect(taken(sample.make(false), as: .dump) == text) }
    if !incompleteInDump.contains(sample.testDescription) { #expect(taken(sample.make(true), as: .dump) != text) }
  }

  @Test("dump of an error with one entry is its description, as in swift-snapshot-testing")
  func dumpFormat() {
    let error = NSError(domain: "d", code: 1, userInfo: ["a": "b"])
    #expect(taken(error, as: .dump) == "- \(error)\n")
  }
}
