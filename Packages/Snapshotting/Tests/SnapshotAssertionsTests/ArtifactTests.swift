import Foundation
import TestSupport
import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

@Suite("The artifacts of failures")
struct ArtifactTests {
  private let snapshots = SnapshotFolder()
  private var references: String { snapshots.path + "/__Snapshots__/T" }

  private func artifacts(_ environment: [String: String] = [:]) throws -> Artifacts {
    try FileManager.default.createDirectory(atPath: snapshots.path, withIntermediateDirectories: true)
    return Artifacts(environment: environment, temporaryDirectory: snapshots.path + "/")
  }

  private var root: String { "\(snapshots.path)/snapshot-artifacts-\(geteuid())" }

  private func permissions(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test("artifacts are in a directory that only the user can read")
  func privateDirectory() throws {
    let paths = try artifacts().write(Data("x".utf8), [], for: references + "/test.1.txt")
    #expect(paths.count == 1 && paths[0].hasPrefix(root + "/T-") && paths[0].hasSuffix("/test.1.txt"))
    #expect(try permissions(of: root) == 0o700)
  }

  @Test("artifacts are not written to a directory that others own or can change, or through a symbolic link")
  func foreignDirectory() throws {
    let artifacts = try artifacts()
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: root)
    #expect(throws: SnapshotError.self) { try artifacts.write(Data(), [], for: references + "/a") }
    if geteuid() == 0 {
      #expect(chmod(root, 0o700) == 0 && chown(root, 65_534, 65_534) == 0)
      #expect(throws: SnapshotError.self) { try artifacts.write(Data(), [], for: references + "/a") }
    }
    try FileManager.default.removeItem(atPath: root)
    try FileManager.default.createSymbolicLink(atPath: root, withDestinationPath: snapshots.path)
    #expect(throws: SnapshotError.self) { try artifacts.write(Data(), [], for: references + "/a") }
    #expect(snapshots.files == ["snapshot-artifacts-\(geteuid())"])
  }

  @Test("an artifact replaces a symbolic link instead of following it")
  func links() throws {
    let artifacts = try artifacts()
    let path = try artifacts.write(Data("a".utf8), [], for: references + "/a")[0]
    try snapshots.write("precious", to: "precious")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: snapshots.path + "/precious")
    _ = try artifacts.write(Data("b".utf8), [], for: references + "/a")
    #expect(snapshots.text(of: "precious") == "precious")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "b")
  }

  @Test("two test files with one name have two folders of artifacts", arguments: [false, true])
  func sameName(isChosen: Bool) throws {
    let artifacts = try artifacts(isChosen ? ["SNAPSHOT_ARTIFACTS": snapshots.path + "/chosen/"] : [:])
    let paths = try ["/x", "/y"].map {
      try artifacts.write(Data(), [], for: "\(snapshots.path)\($0)/__Snapshots__/T/test.1.txt")[0]
    }
    #expect(paths[0] != paths[1])
    if isChosen { #expect(paths[0] == snapshots.path + "/chosen/T/test.1.txt") }
  }

  @Test("artifacts are removed with their folder when the assertion passes")
  func stale() throws {
    let patch = (name: "difference.patch", data: Data("p".utf8))
    let paths = try artifacts().write(Data(), [patch], for: references + "/test.1.txt")
    let others = try artifacts().write(Data(), [], for: references + "/test.10.txt")
    // A later process.
    let later = try artifacts()
    later.removeStale(for: references + "/test.1.txt", in: references)
    #expect(paths.count == 2 && paths.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
    #expect(FileManager.default.fileExists(atPath: others[0]))
    later.removeStale(for: references + "/test.10.txt", in: references)
    #expect(!FileManager.default.fileExists(atPath: ReferenceFiles.folder(of: others[0])))
  }

  @Test("the artifacts of `test.a.txt` are kept when `test.a` passes")
  func continuedName() throws {
    try FileManager.default.createDirectory(atPath: references, withIntermediateDirectories: true)
    for name in ["test.a", "test.a.txt"] { try Data().write(to: URL(fileURLWithPath: "\(references)/\(name)")) }
    let artifacts = try artifacts()
    let patch = (name: "difference.patch", data: Data("p".utf8))
    let short = try artifacts.write(Data(), [patch], for: references + "/test.a")
    let long = try artifacts.write(Data(), [patch], for: references + "/test.a.txt")
    artifacts.removeStale(for: references + "/test.a", in: references)
    #expect(short.count == 2 && short.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
    #expect(long.count == 2 && long.allSatisfy { FileManager.default.fileExists(atPath: $0) })
  }

  @Test("the artifacts of a name are kept when a name in the other Unicode form passes")
  func canonicallyEquivalentNames() throws {
    let patch = (name: "difference.patch", data: Data("p".utf8))
    let names = ["caf\u{E9}", "cafe\u{301}"].flatMap { ["\(references)/\($0).txt", "\(references)-\($0)/1.txt"] }
    let artifacts = try artifacts()
    let paths = try names.map { try artifacts.write(Data(), [patch], for: $0) }
    // A later process too.
    for (artifacts, passing) in [(artifacts, 0...1), (try self.artifacts(), 2...3)] {
      for name in names[passing] { artifacts.removeStale(for: name, in: ReferenceFiles.folder(of: name)) }
      let isRemoved = paths.map { $0.count { FileManager.default.fileExists(atPath: $0) } == 0 }
      #expect(isRemoved == paths.indices.map { $0 <= passing.upperBound })
    }
  }

  @Test("artifacts in the folder of the references are removed after a success")
  func failedFolder() throws {
    let same = try self.artifacts(["SNAPSHOT_ARTIFACTS": ReferenceFiles.folder(of: references)])
    let failed = try same.write(Data(), [], for: references + "/test.1.txt")[0]
    #expect(failed == references + "/failed/test.1.txt")
    same.removeStale(for: references + "/test.1.txt", in: references)
    #expect(!FileManager.default.fileExists(atPath: references + "/failed"))
  }

  @Test("names of attachments are sanitised and different")
  func attachmentNames() throws {
    #expect(Artifacts.sanitized("../../etc/passwd") == "-..-etc-passwd")
    #expect(Artifacts.sanitized("..") == "attachment" && Artifacts.sanitized("") == "attachment")
    #expect(Artifacts.sanitized("a b\n.png") == "a-b-.png")
    let long = String(repeating: "x", count: 300)
    let attachments = ["/a", "/a", long + ".png"].map { (name: $0, data: Data()) }
    let paths = try artifacts().write(Data(), attachments, for: "\(references)/\(long.prefix(250)).txt")
    #expect(Set(paths).count == 4 && paths.allSatisfy { FileManager.default.fileExists(atPath: $0) })
  }

  @Test("a failure names the artifacts, also the artifacts of a failed strategy")
  func failureText() throws {
    try snapshots.write("a", to: "test.a.txt")
    let mismatch = try #require(snapshots.outcome(of: "b", as: .lines, named: "a").failure)
    let patch = try #require(mismatch.split(separator: "\n").first { $0.hasSuffix("test.a.txt.difference.patch") })
    let path = patch.trimmingCharacters(in: .whitespaces)
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("b"))
    #expect(snapshots.outcome(of: "a", as: .lines, named: "a").failure == nil)
    #expect(!FileManager.default.fileExists(atPath: path))

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
  @Test("the text of a failure is limited for long lines, many lines, failures of strategies and errors of values")
  func bounds() {
    let snapshots = SnapshotFolder()
    for (old, new) in [
      (String(repeating: "a", count: 3 << 20), String(repeating: "b", count: 3 << 20)),
      (String(repeating: "a\n", count: 200_000), String(repeating: "b\n", count: 200_000)),
    ] {
      try? snapshots.write(old, to: "test.a.txt")
      let failure = snapshots.outcome(of: new, as: .lines, named: "a", line: 1).failure ?? ""
      #expect(failure.utf8.count < 70_000 && failure.contains("more bytes"))
      #expect(failure.contains("difference.patch"))
    }
    let snapshotCount = Log<Int>()
    let changing = SimplySnapshotting.lines.pullback { (text: String) in
      snapshotCount.append(1)
      return String(repeating: "\(snapshotCount.count)", count: 3 << 20)
    }
    let changed = snapshots.outcome(of: "", as: changing.checkingDeterminism(), named: "b", line: 2).failure ?? ""
    #expect(changed.hasPrefix("Cannot rely on this snapshot") && changed.contains("more bytes"))
    #expect(changed.utf8.count < 70_000 && changed.contains("difference.patch"))
    let failing = { () throws -> String in throw LongError() }
    let thrown = snapshots.outcome(of: try failing(), as: .lines, named: "c").failure ?? ""
    #expect(thrown.hasPrefix("Cannot take the snapshot") && thrown.utf8.count < 70_000)
    #expect(bounded("a\nb") == "a\nb" && bounded("") == "")
    let lines = Array(repeating: String(repeating: "é", count: 100), count: 20).joined(separator: "\n")
    #expect(bounded(lines) == lines)
  }

  @Test("a failure has the command that runs only this test")
  func command() throws {
    let record = try ChosenRecord(.never)
    let rerun = Rerun(testName: "a()", filter: #"^T\.A/it's\(\)/"#, record: record)
    #expect(rerun.command() == "\n\n    swift test --filter '^T\\.A/it'\\''s\\(\\)/'")
    #expect(Rerun(testName: "a()", filter: nil, record: record).command().isEmpty)
    #expect(currentTest().filter() == #"^SnapshotAssertionsTests\.FailureTextTests/command\(\)/"#)
    #expect(filter(forID: "T.`A b`/`c/d`()/T.swift:8:6") == #"^T\.`A b`/`c/d`\(\)/"#)
    #expect(filter(forXCTest: "testA", in: "T.Birds") == #"^T\.Birds/testA$"#)
    #expect(filter(forXCTest: "testA", in: "T.(unknown context at $1).Birds") == nil)
  }

  @Test("a failure mentions the environment only if it has an effect")
  func hints() {
    func rerun(_ isSetByCode: Bool) -> Rerun {
      Rerun(testName: "a()", filter: "f", record: ChosenRecord(mode: .never, code: isSetByCode ? .never : nil))
    }
    #expect(
      rerun(false).recording(.failed)
        == "run \"a()\" with SNAPSHOT_TESTING_RECORD=failed.\n\n    SNAPSHOT_TESTING_RECORD=failed swift test --filter 'f'"
    )
    #expect(!rerun(true).recording(.failed).contains("SNAPSHOT_TESTING_RECORD"))
    #expect(rerun(true).recording(.failed).contains("from `.never`, which the code sets, to `.failed`"))
  }

  private typealias Record = SnapshotTestingConfiguration.Record

  /// The ways to set the record mode in code.
  private static let codes: [@Sendable (ProcessDefaults) -> Record?] =
    [
      { _ in nil }, { $0.notRecording },
      {
        $0.isRecording = false
        return nil
      },
    ]
    + Record.Mode.allCases.map { mode in { _ in Record(rawValue: mode.rawValue) } }

  @Test(
    "a failure recommends the environment if it is enough to record the snapshot, otherwise a change of the code",
    arguments: [nil, "true"], [nil, "Never"] + Record.Mode.allCases.map(\.rawValue))
  func advice(server: String?, name: String?) {
    let environment = ["CI": server, "SNAPSHOT_TESTING_RECORD": name].compactMapValues(\.self)
    for (index, code) in Self.codes.enumerated() {
      func record(in environment: [String: String]) -> ChosenRecord? {
        let defaults = ProcessDefaults(environment: environment)
        return try? ChosenRecord(code(defaults), in: defaults)
      }
      for (state, mode) in [(ReferenceState.absent, Record.Mode.missing), (.differs, .failed)] {
        // Without a mode in code, the assertion fails because the environment is invalid.
        guard let chosen = record(in: environment), !ReferenceDecision(chosen.mode, state).writes else { continue }
        let advised = environment.merging(["SNAPSHOT_TESTING_RECORD": mode.rawValue]) { $1 }
        let isEnough = record(in: advised).map { ReferenceDecision($0.mode, state).writes }
        let advice = Rerun(testName: "a()", filter: nil, record: chosen).recording(mode)
        #expect(advice.contains("with SNAPSHOT_TESTING_RECORD=\(mode)") == isEnough, "\(index) \(state)")
        #expect(advice.contains("which the code sets, to `.\(mode)`") == !(isEnough ?? true), "\(index) \(state)")
      }
    }
  }

  @Test("a failure names false as the mode that the code sets", .snapshots(record: false))
  func recordFalse() throws {
    let snapshots = SnapshotFolder()
    try snapshots.write("old", to: "test.a.txt")
    for record in [false, nil] as [SnapshotTestingConfiguration.Record?] {
      let failure = snapshots.failure(of: "new", named: "a", record: record, line: 1)
      #expect(failure?.contains("change the record mode from `false`, which the code sets, to `.failed`") == true)
    }
  }
}

private struct LongError: Error, CustomStringConvertible {
  var description: String { String(repeating: "e", count: 3 << 20) }
}
