import Foundation
import SnapshotStore
import TestSupport
import Testing

@testable import Snapshots

/// A project in a temporary folder, with pending snapshots.
struct Project {
  private let folder: TemporaryFolder
  let root: String
  let store: PendingStore

  init() throws {
    folder = try TemporaryFolder()
    root = folder.path
    store = PendingStore(root: root)
    try write("", to: "Package.swift")
  }

  func write(_ text: String, to path: String) throws {
    let url = URL(filePath: "\(root)/\(path)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func text(of path: String) -> String? {
    FileManager.default.contents(atPath: "\(root)/\(path)").map { String(decoding: $0, as: UTF8.self) }
  }

  /// Leaves a pending snapshot of a reference file that has the old text.
  @discardableResult
  func leave(
    _ text: String, over old: String?, of reference: String = "Tests/__Snapshots__/A/page.1.txt",
    test: String = "page()"
  ) throws -> PendingSnapshot {
    let snapshot = PendingSnapshot(
      Data(text.utf8), of: reference, over: old.map { Data($0.utf8) },
      source: .init(file: "Tests/A.swift", line: 3, column: 5), test: test, suites: ["A"], pathExtension: "txt",
      time: Date(timeIntervalSince1970: 0))
    try store.write(snapshot, Data(text.utf8))
    return snapshot
  }

  /// Leaves a pending inline snapshot of a call in `Tests/A.swift`.
  @discardableResult
  func leaveInline(_ text: String, over expected: String?, line: UInt, column: UInt) throws -> PendingSnapshot {
    let source = Array(try #require(self.text(of: "Tests/A.swift")).utf8)
    let snapshot = PendingSnapshot(
      text, inline: .init(expected: expected, closure: InlineCall.Closure(), source: source),
      source: .init(file: "Tests/A.swift", line: line, column: column), test: "page()",
      time: Date(timeIntervalSince1970: 0))
    try store.write(snapshot, Data(text.utf8))
    return snapshot
  }

  var names: [String] { store.contents().snapshots.map(\.name) }
}
