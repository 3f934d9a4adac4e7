import Foundation
import TestSupport
import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

/// A folder of references of its own, and assertions in it that report to nobody.
final class Bench: Sendable {
  let folder: String

  init(folder: String = NSTemporaryDirectory() + "snapshots-\(UUID().uuidString)") {
    self.folder = folder
  }

  deinit {
    try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    try? FileManager.default.removeItem(atPath: folder)
    try? FileManager.default.removeItem(atPath: Artifacts.shared.folder(for: folder))
  }

  /// Asserts in a test of one's own making, and answers what came of it.
  func outcome<Value, Format>(
    of value: @autoclosure () throws -> Value, as strategy: Snapshotting<Value, Format>, named name: String? = nil,
    record: SnapshotTestingConfiguration.Record? = .missing, testName: String = "test()",
    in test: RunningTest = .made(),
    timeout: TimeInterval = 5, file: StaticString = "/T/T.swift", line: UInt = #line
  ) -> AssertionOutcome {
    verify(
      value, as: strategy,
      in: Assertion(
        name: name, record: record, snapshotDirectory: folder, timeout: timeout, testName: testName,
        site: AssertionSite(fileID: "T/T.swift", filePath: file, line: line, column: 1), test: test))
  }

  /// The failure of an assertion of text.
  func failure(
    of text: String, named name: String? = nil, record: SnapshotTestingConfiguration.Record? = .missing,
    testName: String = "test()", in test: RunningTest = .made(), line: UInt = #line
  ) -> String? {
    outcome(of: text, as: .lines, named: name, record: record, testName: testName, in: test, line: line).failure
  }

  var files: [String] { ReferenceFiles.names(in: folder).sorted() }

  func text(of file: String) -> String? {
    (try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file)"))).map { String(decoding: $0, as: UTF8.self) }
  }

  func write(_ text: String, to file: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(file)"))
  }
}

extension RunningTest {
  /// A test as a runner would tell of it.
  static func made(
    runner: Runner = .swiftTesting, line: Int = 1, name: String = "", arguments: Arguments = .none,
    suites: [String] = [], caseNumber: Int = 0, filter: String? = nil
  ) -> RunningTest {
    RunningTest(
      runner: runner,
      identity: TestIdentity(
        line: line, column: line == 0 ? 0 : 1, name: name, arguments: arguments.text, caseNumber: caseNumber),
      arguments: arguments,
      suites: { suites }, configuration: nil, filter: { filter })
  }
}
