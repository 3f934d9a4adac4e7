import Foundation
import TestSupport
import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

@Suite("The artifacts of failures")
struct ArtifactTests {
  private let snapshots = SnapshotFolder()
  private var references: String { snapshots.path + "/__Snapshots__/T" }

  @Test("artifacts are in a folder of the module and the test file, and their names are different")
  func names() throws {
    let environment = ["SNAPSHOT_ARTIFACTS": snapshots.path + "/chosen/"]
    let attachments = ["/a", "/a"].map { SnapshotAttachment(data: Data(), name: $0) }
    let paths = try (["A/T.swift", "B/T.swift"] as [StaticString]).map { (fileID: StaticString) in
      let site = AssertionSite(fileID: fileID, filePath: #filePath, line: 1, column: 1)
      return try Artifacts.write(
        Data("x".utf8), attachments, for: references + "/test.1.txt", at: site, environment: environment)
    }
    #expect(paths[0][0] == snapshots.path + "/chosen/A/T/test.1.txt" && paths[0][1].hasSuffix("/test.1.txt.-a"))
    #expect(Set(paths.joined()).count == 6)
    #expect(paths.joined().allSatisfy { FileManager.default.fileExists(atPath: $0) })
  }

  @Test("a failure names the artifacts, also the artifacts of a failed strategy")
  func failureText() throws {
    try snapshots.write("a", to: "test.a.txt")
    let mismatch = try #require(snapshots.outcome(of: "b", as: .lines, named: "a").failure)
    let patch = try #require(mismatch.split(separator: "\n").first { $0.hasSuffix("test.a.txt.difference.patch") })
    #expect(try String(contentsOfFile: patch.trimmingCharacters(in: .whitespaces), encoding: .utf8).contains("b"))

    let failing = Snapshotting<String, String>(pathExtension: nil, diffing: .lines) { value, context in
      context.fail("no good", attachments: [SnapshotAttachment(data: Data([1]), name: "page.png")])
      return Parallel(value: value)
    }
    let failure = try #require(snapshots.outcome(of: "x", as: failing, named: "b").failure)
    #expect(failure.hasPrefix("no good\n\nArtifacts:\n  /") && failure.hasSuffix("test.b.page.png"))
  }
}

@Suite("The text of failures")
struct FailureTextTests {
  @Test("the text of a failure is limited for long texts and errors of values")
  func bounds() {
    let snapshots = SnapshotFolder()
    try? snapshots.write(String(repeating: "a\n", count: 200_000), to: "test.a.txt")
    let failure = snapshots.failure(of: String(repeating: "b\n", count: 200_000), named: "a", line: 1) ?? ""
    #expect(failure.utf8.count < 70_000 && failure.contains("more bytes") && failure.contains("difference.patch"))
    let failing = { () throws -> String in throw LongError() }
    let thrown = snapshots.outcome(of: try failing(), as: .lines, named: "c").failure ?? ""
    #expect(thrown.hasPrefix("Cannot take the snapshot") && thrown.utf8.count < 70_000)
    #expect(bounded("a\nb") == "a\nb" && bounded("") == "")
  }

  @Test("the failure of a very long line shows both lines and the place of the difference")
  func longLine() {
    let snapshots = SnapshotFolder()
    let same = String(repeating: "s", count: 10_000)
    try? snapshots.write(same + "puffin" + String(repeating: "o", count: 200_000), to: "test.a.txt")
    let failure = snapshots.failure(of: same + "swallow" + String(repeating: "n", count: 200_000), named: "a", line: 1)
    #expect(failure?.contains("\n\u{2212}ssss") == true && failure?.contains("\n+ssss") == true)
    #expect(failure?.contains("Line 1, character 10001: “…\(same.prefix(20))puffin") == true, "\(failure ?? "")")
  }
}

private struct LongError: Error, CustomStringConvertible {
  var description: String { String(repeating: "e", count: 3 << 20) }
}
