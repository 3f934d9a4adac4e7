import Foundation
import TestSupport
import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

/// A temporary folder of references, and assertions that return their outcome instead of reporting it.
final class SnapshotFolder: Sendable {
  let path: String

  init(path: String = NSTemporaryDirectory() + "snapshots-\(UUID().uuidString)") {
    self.path = path
  }

  deinit {
    try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    try? FileManager.default.removeItem(atPath: path)
    try? FileManager.default.removeItem(atPath: Artifacts.shared.folder(for: path))
  }

  func outcome<Value, Format>(
    of value: @autoclosure () throws -> Value, as strategy: Snapshotting<Value, Format>, named name: String? = nil,
    record: SnapshotTestingConfiguration.Record? = .missing, testName: String = "test()",
    in test: RunningTest = .made(),
    timeout: TimeInterval = 5, file: StaticString = "/T/T.swift", line: UInt = #line
  ) -> AssertionOutcome {
    verify(
      value, as: strategy,
      in: Assertion(
        name: name, record: record, snapshotDirectory: path, timeout: timeout, testName: testName,
        site: AssertionSite(fileID: "T/T.swift", filePath: file, line: line, column: 1), test: test))
  }

  func failure(
    of text: String, named name: String? = nil, record: SnapshotTestingConfiguration.Record? = .missing,
    testName: String = "test()", in test: RunningTest = .made(), line: UInt = #line
  ) -> String? {
    outcome(of: text, as: .lines, named: name, record: record, testName: testName, in: test, line: line).failure
  }

  var files: [String] { ReferenceFiles.names(in: path).sorted() }

  func text(of file: String) -> String? {
    (try? Data(contentsOf: URL(fileURLWithPath: "\(path)/\(file)"))).map { String(decoding: $0, as: UTF8.self) }
  }

  func write(_ text: String, to file: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(file)"))
  }
}

extension RunningTest {
  static func made(
    runner: Runner = .swiftTesting, line: Int = 1, name: String = "", arguments: Arguments = .none,
    suites: [String] = [], caseNumber: Int = 0, filter: String? = nil
  ) -> RunningTest {
    RunningTest(
      runner: runner,
      identity: TestIdentity(
        line: line, column: line == 0 ? 0 : 1, name: name, arguments: arguments.text, caseNumber: caseNumber),
      arguments: arguments,
      suites: { suites }, filter: { filter })
  }
}
