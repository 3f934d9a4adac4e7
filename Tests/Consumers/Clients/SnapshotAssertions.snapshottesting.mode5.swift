// The public names of swift-snapshot-testing that suites on Linux use. Code that uses them migrates by changing its import.
//
// `Migration.md` has a row for each name. A test compares the two.

import Foundation
import SnapshotAssertions
import Testing
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Bird: Encodable {
  var name = "Puffin"
}

extension Bird: AnySnapshotStringConvertible {
  static var renderChildren: Bool { false }
  var snapshotDescription: String { name }
}

enum Season: CaseIterable {
  case summer, winter
}

final class Assertions: XCTestCase {
  override func invokeTest() {
    withSnapshotTesting(record: .failed, diffTool: .ksdiff) { super.invokeTest() }
  }

  func testAssertions() {
    assertSnapshot(of: Bird(), as: .dump)
    assertSnapshot(
      of: "a", as: .lines, named: "lines", record: .missing, timeout: 1, testName: "testOther", line: #line)
    assertSnapshot(matching: "a", as: .lines)
    assertSnapshots(of: 1, as: ["dump": .dump, "description": .description])
    assertSnapshots(of: 1, as: [.dump, .description])
    let failure: String? = verifySnapshot(of: 1, as: .dump, named: "1", record: false, snapshotDirectory: "/tmp")
    XCTAssertNil(failure)
  }

  func testStrategies() throws {
    assertSnapshot(of: "a", as: .lines)
    assertSnapshot(of: 1, as: .description)
    assertSnapshot(of: Bird(), as: .dump)
    assertSnapshot(of: Data(), as: .data)
    assertSnapshot(of: Bird(), as: .json)
    assertSnapshot(of: ["a": 1], as: Snapshotting<Any, String>.json)
    assertSnapshot(of: Bird(), as: .plist)
    let request = URLRequest(url: try XCTUnwrap(URL(string: "https://example.com")))
    assertSnapshot(of: request, as: .raw)
    assertSnapshot(of: request, as: .curl)
    assertSnapshot(of: { "\($0)" }, as: Snapshotting<Season, String>.func(into: .description))
    assertSnapshot(of: "a", as: .wait(for: 0.1, on: .lines))
  }

  func testRecording() {
    print(isRecording, record)
    isRecording = false
    diffTool = nil
    let isOn = false
    assertSnapshot(of: 1, as: .dump, record: isOn)
    assertSnapshots(matching: 1, as: [.dump])
    print(verifySnapshot(matching: 1, as: .dump) as Any, SnapshotTestCase.self)
    _assertInlineSnapshot(matching: "a", as: .lines, with: "a")
    print(_verifyInlineSnapshot(matching: "a", as: .lines, with: "a") as Any)
    print(SnapshotTestingConfiguration.current as Any, SnapshotTestingConfiguration(record: .all, diffTool: .default))
    InlineSnapshotSyntaxDescriptor(trailingClosureLabel: InlineSnapshotSyntaxDescriptor.defaultTrailingClosureLabel)
      .fail("message", fileID: #fileID, file: #filePath, line: #line, column: #column)
    let modes: [SnapshotTestingConfiguration.Record] = [.all, .failed, .missing, .never]
    let tools: [SnapshotTestingConfiguration.DiffTool] = [.ksdiff, .default, "opendiff"]
    print(modes, tools[0](currentFilePath: "a", failedFilePath: "b"))
  }
}

@Suite(.snapshots) struct Traits {
  @Test(.snapshots(SnapshotTestingConfiguration(record: .never, diffTool: nil))) func never() {
    print(_SnapshotsTestTrait.self)
  }
}

@Suite(.snapshots(record: .missing, diffTool: "opendiff")) struct AssertionTests {
  @Test func inline() async throws {
    await withSnapshotTesting(record: .never) { assertSnapshot(of: 1, as: .dump) }
    assertInlineSnapshot(of: Bird(), as: .description) {
      """
      Puffin
      """
    }
    assertInlineSnapshot(
      of: Bird(), as: .description, message: "A bird", record: .never, timeout: 1,
      syntaxDescriptor: InlineSnapshotSyntaxDescriptor(
        deprecatedTrailingClosureLabels: ["is"], trailingClosureLabel: "matches", trailingClosureOffset: 0))
  }
}

func ownStrategies() -> [Any] {
  let text = Diffing<String>(
    toData: { Data($0.utf8) }, fromData: { String(decoding: $0, as: UTF8.self) },
    diff: { old, new in old == new ? nil : ("\(old) is not \(new)", []) })
  let plain = Snapshotting<String, String>(pathExtension: "txt", diffing: text)
  let named = Snapshotting<Bird, String>(pathExtension: "txt", diffing: .lines, snapshot: { $0.name })
  let later = Snapshotting<Bird, String>(
    pathExtension: nil, diffing: .lines,
    asyncSnapshot: { bird in Async(run: { callback in callback(bird.name) }) })
  let birds = named.pullback { (names: [String]) in Bird(name: names.joined()) }
  let loaded = named.asyncPullback { (name: String) in Async<Bird> { callback in callback(Bird(name: name)) } }
  named.snapshot(Bird()).run { print($0) }
  print(named.pathExtension as Any, text.diff("a", "b") as Any, named.diffing.toData("a"))
  return [plain, later, birds, loaded, SimplySnapshotting<String>.lines]
}

func described() -> [any AnySnapshotStringConvertible] {
  [Character("a"), Data(), Date(), "a", "ab".dropFirst(), NSObject()]
    + [URL(string: "https://example.com")].compactMap { $0 }
}
