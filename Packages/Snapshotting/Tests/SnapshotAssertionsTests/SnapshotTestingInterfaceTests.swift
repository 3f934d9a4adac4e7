import Foundation
import Testing
import XCTest

// Not `@testable`: the interface of a suite that migrates from swift-snapshot-testing.
import SnapshotAssertions

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct Bird: Codable, Sendable {
  var name = "Puffin"
}

private enum Season: CaseIterable, Sendable { case summer, winter }

/// A suite with every public name of swift-snapshot-testing that exists on Linux.
///
/// The library deprecates some of them, so their uses are behind a requirement of a protocol.
private protocol Suite {
  func assertions(in folder: String, record: Bool) -> [String?]
  func globals()
  func strategies() throws
  func inline(record: Bool)
}

private struct MigratedSuite: Suite {
  /// The common helper with a `Bool`.
  @available(*, deprecated)
  func verify(_ text: String, in folder: String, record: Bool = false, testName: String = #function) -> String? {
    verifySnapshot(of: text, as: .lines, named: "helper", record: record, snapshotDirectory: folder, testName: testName)
  }

  @available(*, deprecated)
  func assertions(in folder: String, record: Bool) -> [String?] {
    [
      verifySnapshot(of: 1, as: .dump, named: "1", record: false, snapshotDirectory: folder),
      verifySnapshot(of: 1, as: .dump, named: "2", record: .missing, snapshotDirectory: folder),
      verifySnapshot(matching: 1, as: .dump, named: "3", record: record, snapshotDirectory: folder),
      verifySnapshot(matching: 1, as: .dump, named: "4", snapshotDirectory: folder),
      verify("a", in: folder, record: record),
    ]
  }

  @available(*, deprecated)
  func failing(record: Bool?) {
    assertSnapshot(of: 1, as: .dump, named: "a", record: record, timeout: 1, testName: "other()")
    assertSnapshot(matching: 1, as: .dump, named: "a", record: record)
    assertSnapshots(of: 1, as: ["a": .dump], record: record)
    assertSnapshots(of: 1, as: [.dump], record: record)
    assertSnapshots(matching: 1, as: ["a": .dump], record: record)
    assertSnapshots(matching: 1, as: [.dump])
    assertSnapshot(matching: 1, as: .dump, record: false)
  }

  @available(*, deprecated)
  func globals() {
    diffTool = nil
    diffTool = .ksdiff
    diffTool = "opendiff"
    XCTAssertEqual(diffTool(currentFilePath: "a", failedFilePath: "b"), "opendiff a b")
    isRecording = true
    XCTAssertTrue(isRecording && SnapshotAssertions.record)
    XCTAssertFalse(withSnapshotTesting(record: .never) { isRecording })
    isRecording = false
    XCTAssertFalse(isRecording || SnapshotAssertions.record)
    let tool: SnapshotTestingConfiguration.DiffTool = nil
    XCTAssertTrue(tool(currentFilePath: "/a", failedFilePath: "/b").contains("file:///a"))
    XCTAssertTrue(SnapshotTestCase.self == XCTestCase.self)
  }

  func strategies() throws {
    let request = URLRequest(url: try XCTUnwrap(URL(string: "https://example.com")))
    let texts: [(String?, String)] = [
      (text("a", .lines), "a"), (text(1, .description), "1"), (text(Bird(), .json), "{\n  \"name\" : \"Puffin\"\n}"),
      (text(["a": 1], Snapshotting<Any, String>.json), "{\n  \"a\" : 1\n}"), (text(1, .dump), "- 1\n"),
      (text(request, .raw), "GET https://example.com"), (text(request, .curl), "curl \\\n\t\"https://example.com\""),
      (
        text({ "\($0)" }, Snapshotting<Season, String>.func(into: .description)),
        "\"summer\",\"summer\"\n\"winter\",\"winter\""
      ),
      (text("a", .wait(for: 0, on: SimplySnapshotting<String>.lines)), "a"),
      (
        text(
          Bird(),
          Snapshotting<String, String>.lines.asyncPullback { bird in Async(value: bird.name) }), "Puffin"
      ),
      (
        text(
          Bird(),
          Snapshotting(pathExtension: nil, diffing: .lines, asyncSnapshot: { bird in Async { $0(bird.name) } })),
        "Puffin"
      ),
    ]
    for (text, expected) in texts where text != nil { XCTAssertEqual(text, expected) }
    XCTAssertTrue(try XCTUnwrap(text(Bird(), .plist)).contains("<string>Puffin</string>"))
    XCTAssertEqual(Snapshotting<Data, Data>.data.diffing.toData(Data([1])), Data([1]))
    let diffing = Diffing<Int>.diff(toData: { Data("\($0)".utf8) }, fromData: { _ in 0 }) { old, new in
      old == new ? nil : ("differs", [.data(Data([1]), name: "failure.png")])
    }
    XCTAssertNil(diffing.diffV2(1, 1))
    for case .data(let data, let name) in try XCTUnwrap(diffing.diffV2(1, 2)).1 {
      XCTAssertTrue(name == "failure.png" && data.count == 1)
    }
  }

  private func text<Value>(_ value: Value, _ strategy: Snapshotting<Value, String>) -> String? {
    // The strategies of this test call back before `run` returns, on this thread, so nothing else uses the variable.
    nonisolated(unsafe) var text: String?
    strategy.snapshot(value).run { text = $0 }
    return text
  }

  @available(*, deprecated)
  func inline(record: Bool) {
    assertInlineSnapshot(of: Bird().name, as: .lines, record: false) {
      """
      Puffin
      """
    }
    assertInlineSnapshot(
      of: 1, as: .description, message: "one", record: .never, timeout: 1,
      syntaxDescriptor: InlineSnapshotSyntaxDescriptor(
        deprecatedTrailingClosureLabels: ["is"],
        trailingClosureLabel: InlineSnapshotSyntaxDescriptor.defaultTrailingClosureLabel, trailingClosureOffset: 0)
    ) {
      "1"
    }
    _assertInlineSnapshot(
      matching: "a\nb", as: .lines,
      with: """
        a
        b
        """)
  }
}

private func withTemporaryFolder(_ operation: (String) throws -> Void) rethrows {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try operation(folder)
}

@Suite("A suite with the interface of swift-snapshot-testing", .snapshots)
struct SnapshotTestingInterfaceTests {
  private var suite: any Suite { MigratedSuite() }

  // The record mode depends on variables of the environment, so each test has its own process.
  @Test("a suite with a Bool variable for the record mode records, and then passes")
  func assertions() async {
    await #expect(processExitsWith: .success) {
      let suite: any Suite = MigratedSuite()
      unsetenv("CI")
      unsetenv("SNAPSHOT_TESTING_RECORD")
      withTemporaryFolder { folder in
        let first = withSnapshotTesting(record: .missing) { suite.assertions(in: folder, record: false) }
        #expect(first.allSatisfy { $0?.hasPrefix("No reference was found on disk. Automatically recorded") == true })
        #expect(suite.assertions(in: folder, record: false).allSatisfy { $0 == nil })
        let recorded = suite.assertions(in: folder, record: true)
        #expect(recorded.map { $0?.hasPrefix("Record mode is on.") } == [nil, nil, true, nil, true])
      }
    }
  }

  @Test("the strategies and inline snapshots of the suite work")
  func strategies() throws {
    try suite.strategies()
    suite.inline(record: false)
  }

  @Test("the global variables apply to the process")
  func globals() async {
    await #expect(processExitsWith: .success) {
      let suite: any Suite = MigratedSuite()
      suite.globals()
    }
  }

  @Test(
    "a configuration is a trait and can be read",
    .snapshots(SnapshotTestingConfiguration(record: .never, diffTool: nil)))
  func configuration() {
    #expect(SnapshotTestingConfiguration.current?.record == .never)
  }

  @Test("a descriptor fails at the line of the call")
  func failing() {
    withKnownIssue {
      InlineSnapshotSyntaxDescriptor().fail("message", fileID: #fileID, file: #filePath, line: 7, column: 14)
    } matching: { issue in
      issue.sourceLocation?.line == 7 && issue.comments.contains { $0.rawValue == "message" }
    }
  }
}
