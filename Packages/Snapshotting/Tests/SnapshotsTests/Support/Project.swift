import Arguments
import Foundation
import ImageSnapshotting
import SnapshotStore
import Terminal
import TestSupport
import Testing

@testable import Snapshots

/// A project in a temporary folder, with pending snapshots.
struct Project {
  static let reference = "Tests/__Snapshots__/A/page.1.txt"

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
      of: reference, over: pictures[0], source: .init(file: "Tests/A.swift", line: 9, column: 5),
      test: "picture()", suites: ["Pictures"], time: Date(timeIntervalSince1970: 0))
    return try store.write(snapshot, pictures[1])
  }

  @discardableResult
  func leave(
    _ text: String, over old: String?, of reference: String = Self.reference,
    source: PendingSnapshot.Source = .init(file: "Tests/A.swift", line: 3, column: 5), test: String = "page()",
    named: String? = nil, suites: [String] = ["A"], arguments: String? = nil,
    time: Date = Date(timeIntervalSince1970: 0)
  ) throws -> PendingSnapshot {
    try leave(
      Data(text.utf8), over: old.map { Data($0.utf8) }, of: reference, source: source, test: test, named: named,
      suites: suites, arguments: arguments, time: time)
  }

  @discardableResult
  func leave(
    _ data: Data, over old: Data?, of reference: String,
    source: PendingSnapshot.Source = .init(file: "Tests/A.swift", line: 3, column: 5), test: String = "page()",
    named: String? = nil, suites: [String] = ["A"], arguments: String? = nil,
    time: Date = Date(timeIntervalSince1970: 0)
  ) throws -> PendingSnapshot {
    let snapshot = PendingSnapshot(
      of: reference, over: old, source: source, test: test, named: named, suites: suites, arguments: arguments,
      time: time)
    return try store.write(snapshot, data)
  }

  @discardableResult
  func leaveInline(
    _ text: String, over expected: String?, in file: String = "Tests/A.swift", line: UInt, column: UInt
  ) throws -> PendingSnapshot {
    // The source is older than the build.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceReferenceDate: 1)], ofItemAtPath: "\(root)/\(file)")
    let snapshot = PendingSnapshot(
      inline: .init(expected: expected, closure: InlineClosure(), built: 2),
      source: .init(file: file, line: line, column: column), test: "page()",
      time: Date(timeIntervalSince1970: 0))
    return try store.write(snapshot, Data(text.utf8))
  }

  /// Runs a subcommand in this process.
  func run(_ words: [String]) throws -> (code: Int32, output: String, errors: String) {
    let folder = try TemporaryFolder()
    let files = ["output", "errors"].map { folder.file($0) }
    let descriptors = files.map { open($0, O_WRONLY | O_CREAT, 0o600) }
    defer { for descriptor in descriptors { close(descriptor) } }
    let runner = Runner(
      store: store, output: TerminalDevice(input: -1, output: descriptors[0]),
      errors: TerminalDevice(input: -1, output: descriptors[1]))
    guard case .success(let action) = Snapshots.command.parse(words) else { throw CocoaError(.coderInvalidValue) }
    let code = runner.run(action).rawValue
    let texts = files.map { String(decoding: FileManager.default.contents(atPath: $0) ?? Data(), as: UTF8.self) }
    return (code, texts[0], texts[1])
  }

  var names: [String] { store.contents().snapshots.map(\.name) }
}
