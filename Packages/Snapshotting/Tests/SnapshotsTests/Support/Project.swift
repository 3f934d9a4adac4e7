import Foundation
import ImageSnapshotting
import SnapshotStore
import TestSupport
import Testing

@testable import Snapshots

/// A project in a temporary folder, with pending snapshots.
struct Project {
  private let folder: TemporaryFolder
  let root: String
  let store: PendingStore

  init(named name: String? = nil) throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    root = name.map { "\(folder.path)/\($0)" } ?? folder.path
    store = PendingStore(root: root)
    try write("", to: "Package.swift")
  }

  func write(_ text: String, to path: String) throws { try write(Data(text.utf8), to: path) }

  func text(of path: String) -> String? {
    FileManager.default.contents(atPath: "\(root)/\(path)").map { String(decoding: $0, as: UTF8.self) }
  }

  func write(_ data: Data, to path: String) throws {
    let url = URL(filePath: "\(root)/\(path)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  @discardableResult
  func leavePicture(_ color: Image.Pixel, over old: Image.Pixel, of reference: String) throws -> PendingSnapshot {
    let pictures = try [old, color].map { color in
      try #require(Image(width: 40, height: 30, filledWith: color)).pngData()
    }
    try write(pictures[0], to: reference)
    let snapshot = PendingSnapshot(
      pictures[1], of: reference, over: pictures[0], source: .init(file: "Tests/A.swift", line: 9, column: 5),
      test: "picture()", suites: ["Pictures"], pathExtension: "png", time: Date(timeIntervalSince1970: 0))
    try store.write(snapshot, pictures[1])
    return snapshot
  }

  @discardableResult
  func leave(
    _ text: String, over old: String?, of reference: String = "Tests/__Snapshots__/A/page.1.txt",
    source: PendingSnapshot.Source = .init(file: "Tests/A.swift", line: 3, column: 5), test: String = "page()",
    suites: [String] = ["A"], strategy: String? = nil, time: Date = Date(timeIntervalSince1970: 0)
  ) throws -> PendingSnapshot {
    let snapshot = PendingSnapshot(
      Data(text.utf8), of: reference, over: old.map { Data($0.utf8) }, source: source, test: test, suites: suites,
      pathExtension: "txt", strategy: strategy, time: time)
    try store.write(snapshot, Data(text.utf8))
    return snapshot
  }

  @discardableResult
  func leaveInline(
    _ text: String, over expected: String?, in file: String = "Tests/A.swift", line: UInt, column: UInt
  ) throws -> PendingSnapshot {
    let source = Array(try #require(self.text(of: file)).utf8)
    let snapshot = PendingSnapshot(
      Data(text.utf8), inline: .init(expected: expected, closure: InlineCall.Closure(), source: source),
      source: .init(file: file, line: line, column: column), test: "page()",
      time: Date(timeIntervalSince1970: 0))
    try store.write(snapshot, Data(text.utf8))
    return snapshot
  }

  func forge(_ change: (inout [String: Any]) -> Void) throws {
    let folder = "\(root)/.build/pending-snapshots"
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".json") })
    let url = URL(filePath: "\(folder)/\(name)")
    var document = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
    change(&document)
    try JSONSerialization.data(withJSONObject: document).write(to: url)
  }

  var names: [String] { store.contents().snapshots.map(\.name) }
}
