import Foundation
import TestSupport
import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

/// The references are in the build folder of this project, because only a failure in a project leaves a pending
/// snapshot.
@Suite("Pending snapshots of assertions") struct PendingTests {
  private let root = ProjectRoot.containing(ReferenceFiles.folder(of: "\(#filePath)"))
  private let folder: SnapshotFolder

  init() { folder = SnapshotFolder(path: "\(root)/.build/pending-tests/\(UUID().uuidString)") }

  private var store: PendingStore { PendingStore(root: root) }

  private var pending: [PendingSnapshot] {
    store.contents().snapshots.filter {
      $0.reference.map { folder.path.hasSuffix(ReferenceFiles.folder(of: $0)) } == true
    }
  }

  private func failure(of text: String, _ record: SnapshotTestingConfiguration.Record) -> String? {
    folder.outcome(of: text, as: .lines, named: "a", record: record, file: #filePath, process: TestProcess()).failure
  }

  @Test("a failure leaves a pending snapshot, and a later success removes it") func left() throws {
    let missing = try #require(failure(of: "new", .pending))
    #expect(missing.hasPrefix("No reference was found on disk. The new snapshot is pending\n"))
    #expect(missing.contains("accept it with `swift run snapshots review`.") && !missing.contains("disabled"))
    #expect(pending.map(\.referenceFingerprint) == [nil] && folder.files.isEmpty)
    let data = FileManager.default.contents(atPath: store.dataPath(of: try #require(pending.first)))
    #expect(data == Data("new".utf8))
    try folder.write("old", to: "test.a.txt")
    #expect(failure(of: "newer", .missing)?.contains("accept it with `swift run snapshots review`.") == true)
    #expect(pending.count == 1 && pending.first?.referenceFingerprint != nil && folder.text(of: "test.a.txt") == "old")
    #expect(failure(of: "old", .missing) == nil)
    #expect(pending.isEmpty)
  }

  @Test("a match removes no snapshot that an earlier run of the assertion left pending in the process")
  func matchAfterChange() throws {
    try folder.write("old", to: "test.a.txt")
    let process = TestProcess()
    for text in ["new", "old"] {
      _ = folder.outcome(of: text, as: .lines, named: "a", file: #filePath, process: process)
    }
    #expect(pending.count == 1)
    for snapshot in pending { try store.reject(snapshot) }
  }

  @Test("recording the reference removes the pending snapshot") func recorded() {
    #expect(failure(of: "new", .pending) != nil && pending.count == 1)
    #expect(failure(of: "new", .missing) != nil)
    #expect(pending.isEmpty && folder.files == ["test.a.txt"])
  }

  @Test("the mode never leaves no pending snapshot", arguments: [nil, "old"]) func never(_ old: String?) throws {
    if let old { try folder.write(old, to: "test.a.txt") }
    #expect(failure(of: "new", .never) != nil)
    #expect(pending.isEmpty)
  }

  #if compiler(>=6.3)
    @Test("a known issue leaves no pending snapshot, because its test passes") func knownIssue() throws {
      let outcome = folder.outcome(
        of: "new", as: .lines, named: "a", record: .pending, file: #filePath, process: TestProcess())
      #expect(pending.count == 1)
      let site = AssertionSite(fileID: #fileID, filePath: #filePath, line: #line, column: #column)
      withKnownIssue { report(outcome, at: site, to: .swiftTesting) }
      #expect(pending.isEmpty)
    }
  #endif

  @Test("a failure outside of a project leaves none, and does not recommend a review") func outside() throws {
    let folder = SnapshotFolder()
    try folder.write("old", to: "test.a.txt")
    for mode in [SnapshotTestingConfiguration.Record.missing, .pending] {
      let failure = folder.outcome(of: "new", as: .lines, named: "a", record: mode, file: #filePath).failure
      #expect(failure?.contains("snapshots review") == false && failure?.contains("mode to `failed`") == true)
    }
  }
}
