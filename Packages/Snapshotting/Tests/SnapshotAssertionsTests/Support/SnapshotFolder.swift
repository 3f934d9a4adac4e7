import Foundation
import TestSupport
import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

/// A temporary folder of references, and assertions that return their outcome instead of reporting it.
final class SnapshotFolder: Sendable {
  let path: String
  let process = TestProcess()

  init(path: String = NSTemporaryDirectory() + "snapshots-\(UUID().uuidString)") {
    self.path = path
  }

  deinit {
    try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    try? FileManager.default.removeItem(atPath: path)
  }

  func outcome<Value, Format>(
    of value: @autoclosure () throws -> Value, as strategy: Snapshotting<Value, Format>, named name: String? = nil,
    record: SnapshotTestingConfiguration.Record? = .missing, testName: String = "test()",
    in test: CurrentTest = .made(), timeout: TimeInterval = 5, file: StaticString = #filePath, line: UInt = #line,
    process: TestProcess? = nil
  ) -> AssertionOutcome {
    verifyBlocking(
      value, as: strategy,
      in: Assertion(
        name: name, record: record, snapshotDirectory: path, timeout: timeout, testName: testName,
        site: AssertionSite(fileID: "T/T.swift", filePath: file, line: line, column: 1), test: test,
        process: process ?? self.process))
  }

  func failure(
    of text: String, named name: String? = nil, record: SnapshotTestingConfiguration.Record? = .missing,
    testName: String = "test()", in test: CurrentTest = .made(), line: UInt = #line, process: TestProcess? = nil
  ) -> String? {
    outcome(
      of: text, as: .lines, named: name, record: record, testName: testName, in: test, line: line, process: process
    ).failure
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

extension CurrentTest {
  static func made(_ name: String = "test()", suite: String = "Suite", arguments: Arguments = .none) -> CurrentTest {
    CurrentTest(id: "T.\(suite)/\(name)", arguments: arguments)
  }
}
