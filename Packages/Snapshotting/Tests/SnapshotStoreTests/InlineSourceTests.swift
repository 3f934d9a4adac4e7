import Foundation
import TestSupport
import Testing

@testable import SnapshotStore

@Suite("Inline snapshots in files")
struct InlineSourceTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("T.swift") }

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", to: "Package.swift")
  }

  private let three = "func test() {\n  check(1)\n  check(2)\n  check(3)\n}\n"

  private func threeWith(_ lines: Set<UInt>) -> String {
    let calls = (2...4 as ClosedRange<UInt>).map { line in
      "  check(\(line - 1))" + (lines.contains(line) ? " {\n    \"\"\"\n    \(line)\n    \"\"\"\n  }\n" : "\n")
    }
    return "func test() {\n\(calls.joined())}\n"
  }

  private func edit(_ line: UInt, _ text: String? = nil) -> InlineEdit {
    InlineEdit(line: line, column: 8, closure: InlineClosure(), isNew: true, text: text ?? "\(line)")
  }

  /// The writers of processes of one build, which is newer than the source.
  private func processes(_ count: Int) throws -> [InlineWriter] {
    try folder.write(three, to: "T.swift")
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_000)], ofItemAtPath: path)
    return (0..<count).map { _ in InlineWriter(linked: Date(timeIntervalSince1970: 2_000)) }
  }

  @Test("the snapshots of a process are written together, to their compiled places")
  func together() throws {
    let process = try processes(1)[0]
    for line: UInt in [3, 2, 4, 3] { try process.add(edit(line), to: path) }
    #expect(folder.text(of: "T.swift") == three)
    process.write()
    #expect(folder.text(of: "T.swift") == threeWith([2, 3, 4]))
    #expect(String(decoding: try process.compiledSource(of: path), as: UTF8.self) == three)
    process.write()
    #expect(folder.text(of: "T.swift") == threeWith([2, 3, 4]))
  }

  @Test("processes that record at once keep each other's text")
  func atOnce() async throws {
    for _ in 1...100 {
      let processes = try processes(3)
      try await hammer(threads: 3, iterations: 1) { thread, _ in
        let line = UInt(thread + 2)
        try processes[thread].add(edit(line), to: path)
        processes[thread].write()
      }
      try #require(folder.text(of: "T.swift") == threeWith([2, 3, 4]))
    }
    #expect(folder.contents.filter { !$0.hasPrefix(".build") } == ["Package.swift", "T.swift"])
  }

  @Test("a source that changes after the build is not rewritten", arguments: [false, true])
  func changed(isKnown: Bool) throws {
    let process = try processes(1)[0]
    if isKnown { try process.add(edit(2), to: path) }
    try folder.write(three + "// mine\n", to: "T.swift")
    if isKnown {
      process.write()
    } else {
      let error = #expect(throws: SnapshotError.self) { try process.add(edit(2), to: path) }
      #expect(error?.description.contains("T.swift: the source was modified after the tests were built") == true)
    }
    #expect(folder.text(of: "T.swift") == three + "// mine\n")
  }

  @Test("a recorded text replaces its pending snapshot when it is written, because the process may crash before")
  func pendingUntilWritten() throws {
    let (process, store) = (try processes(1)[0], InlineSource.store(of: path))
    let pending = PendingSnapshot(
      inline: .init(expected: nil, closure: InlineClosure(), built: process.built),
      source: .init(file: path, line: edit(2).line, column: edit(2).column), test: "two()", time: Date())
    #expect(try PendingRecorder.shared.leave(pending, Data("2".utf8)))
    try process.add(edit(2), to: path)
    #expect(store.contents().snapshots.count == 1)
    process.write()
    #expect(store.contents().snapshots.isEmpty)
  }

  @Test("the edits of an earlier build are part of the compiled source")
  func builtAgain() throws {
    let first = try processes(1)[0]
    try first.add(edit(2), to: path)
    first.write()
    // The other calls are four lines lower in the rewritten source.
    let second = InlineWriter(linked: Date(timeIntervalSinceNow: 60))
    #expect(throws: SnapshotError.self) { try second.add(edit(3), to: path) }
    try second.add(edit(7, "3"), to: path)
    second.write()
    #expect(folder.text(of: "T.swift") == threeWith([2, 3]))
  }
}

@Suite("Pending snapshots")
struct PendingStoreTests {
  private let folder: TemporaryFolder
  private let store: PendingStore

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", to: "Package.swift")
    store = PendingStore(root: folder.path)
  }

  private func leave(
    _ text: String, inline: PendingSnapshot.Inline? = nil, line: UInt = 2, over old: String? = nil, time: Date = Date()
  ) throws -> PendingSnapshot {
    let snapshot = PendingSnapshot(
      of: inline == nil ? "a.txt" : nil, over: old.map { Data($0.utf8) }, inline: inline,
      source: .init(file: "T.swift", line: line, column: 8), test: "test()", suites: ["A"], arguments: "1, 2",
      time: time)
    return try store.write(snapshot, Data(text.utf8))
  }

  private func accept(_ snapshot: PendingSnapshot) throws {
    for result in store.accept([snapshot]) { try result.get() }
  }

  /// Writes a source that is older than the build, and returns its path.
  private func writeOld(_ source: String) throws -> String {
    try folder.write(source, to: "T.swift")
    let path = folder.file("T.swift")
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_000)], ofItemAtPath: path)
    return path
  }

  @Test("an accepted snapshot replaces its reference, and a rejected one is removed")
  func decisions() throws {
    try accept(leave("new"))
    #expect(folder.text(of: "a.txt") == "new" && store.contents().snapshots.isEmpty)
    let changed = try leave("newer", over: "new")
    #expect(store.contents().snapshots.map(\.arguments) == ["1, 2"])
    try folder.write("mine", to: "a.txt")
    let error = #expect(throws: SnapshotError.self) { try accept(changed) }
    #expect(error?.description.contains("the reference has changed") == true && folder.text(of: "a.txt") == "mine")
    _ = try leave("newest", over: "new")
    for decide in [accept, store.reject] {
      let newer = #expect(throws: SnapshotError.self) { try decide(changed) }
      #expect(newer?.description.contains("a later run left another one") == true)
    }
    for snapshot in store.contents().snapshots { try store.reject(snapshot) }
    let late = #expect(throws: SnapshotError.self) { try accept(changed) }
    #expect(late?.description.contains("no longer pending") == true)
  }

  @Test(
    "new and changed inline snapshots of one run can be recorded and accepted in any order", arguments: [0, 1, 2, 3])
  func recordedAndPending(first: Int) throws {
    let source = "func test() {\n  check(1)\n  check(2)\n  check(3) { \"old\" }\n  check(4) { \"old\" }\n}\n"
    let (path, linked) = (try writeOld(source), Date(timeIntervalSince1970: 2_000))
    let process = InlineWriter(linked: linked)
    for line: UInt in 2...3 {
      try process.add(
        InlineEdit(line: line, column: 8, closure: InlineClosure(), isNew: true, text: "a\nb"), to: path)
    }
    let inline = PendingSnapshot.Inline(expected: "old", closure: InlineClosure(), built: process.built)
    let pending = try [4, 5].map { try leave("new", inline: inline, line: $0) }
    if first < 2 { process.write() }
    for snapshot in first % 2 == 0 ? pending : pending.reversed() { try accept(snapshot) }
    if first >= 2 {
      // The process ends after the others were accepted.
      let late = InlineWriter(linked: linked)
      for line: UInt in 2...3 {
        try late.add(
          InlineEdit(line: line, column: 8, closure: InlineClosure(), isNew: true, text: "a\nb"), to: path)
      }
      late.write()
    }
    func closure(_ text: String) -> String { " {\n    \"\"\"\n\(text)    \"\"\"\n  }" }
    let (both, new) = (closure("    a\n    b\n"), closure("    new\n"))
    #expect(
      folder.text(of: "T.swift")
        == "func test() {\n  check(1)\(both)\n  check(2)\(both)\n  check(3)\(new)\n  check(4)\(new)\n}\n")
  }

  @Test("many inline snapshots of a source are accepted together, without the one that is refused")
  func many() throws {
    let lines = 1...200 as ClosedRange<UInt>
    _ = try writeOld("func test() {\n\(lines.map { "  check(\($0))\n" }.joined())}\n")
    let built = Date(timeIntervalSince1970: 2_000).timeIntervalSinceReferenceDate
    let pending = try lines.map {
      try leave(
        "new", inline: .init(expected: $0 == 7 ? "old" : nil, closure: InlineClosure(), built: built), line: $0 + 1)
    }
    let results = store.accept(Array(pending.dropFirst(7)))
    #expect(results.allSatisfy { (try? $0.get()) != nil })
    #expect(
      store.accept(Array(pending.prefix(7))).map { (try? $0.get()) != nil } == [
        true, true, true, true, true, true, false,
      ])
    #expect(folder.text(of: "T.swift")?.components(separatedBy: "\"\"\"\n    new\n").count == 200)
  }

  @Test("an inline snapshot is refused if its source was edited since the test")
  func editedSource() throws {
    _ = try writeOld("func test() {\n  check(1)\n}\n")
    let built = Date(timeIntervalSince1970: 2_000).timeIntervalSinceReferenceDate
    let snapshot = try leave("new", inline: .init(expected: nil, closure: InlineClosure(), built: built))
    try folder.write("func test() {\n  check(1) // mine\n}\n", to: "T.swift")
    let error = #expect(throws: SnapshotError.self) { try accept(snapshot) }
    #expect(error?.description.contains("was modified after the tests were built") == true)
    #expect(store.contents().snapshots.count == 1)
  }

  @Test("a reference that is a symbolic link to a file outside of the project is accepted")
  func link() throws {
    let outside = try TemporaryFolder()
    try outside.write("old", to: "b.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("a.txt"), withDestinationPath: outside.file("b.txt"))
    try accept(leave("new", over: "old"))
    #expect(outside.text(of: "b.txt") == "new" && store.contents().snapshots.isEmpty)
  }

  @Test(
    "a run of a later build removes an inline snapshot if a text was written into its source", arguments: [false, true])
  func laterBuild(isWritten: Bool) throws {
    let path = try writeOld("func test() {\n  check(1)\n  check(2)\n}\n")
    let process = InlineWriter(linked: Date(timeIntervalSince1970: 2_000))
    _ = try leave("new", inline: .init(expected: nil, closure: InlineClosure(), built: process.built), line: 3)
    if isWritten {
      let edit = InlineEdit(line: 2, column: 8, closure: InlineClosure(), isNew: true, text: "1")
      try process.add(edit, to: path)
      process.write()
    }
    PendingRecorder(built: process.built).remove("other.txt", ofSource: path)
    #expect(store.contents().snapshots.count == 1)
    PendingRecorder(built: process.built + 1).remove("other.txt", ofSource: path)
    #expect(store.contents().snapshots.count == (isWritten ? 0 : 1))
  }

  @Test("a damaged document is reported, and the others are listed")
  func damaged() throws {
    _ = try leave("new")
    try folder.write("{", to: ".build/pending-snapshots/x.json")
    #expect(store.contents().snapshots.count == 1)
    #expect(store.contents().problems.first?.description.contains("x.json: it is damaged") == true)
    let snapshot = try #require(store.contents().snapshots.first)
    try Data("ne".utf8).write(to: URL(filePath: store.dataPath(of: snapshot)))
    #expect(throws: SnapshotError.self) { try store.data(of: snapshot) }
  }

  @Test("a folder that cannot be read is reported, and is not an empty one")
  func unreadable() throws {
    try FileManager.default.createDirectory(atPath: folder.file(".build"), withIntermediateDirectories: true)
    try folder.write("", to: ".build/pending-snapshots")
    #expect(store.contents().problems.first?.description.contains("Use the account that ran the tests") == true)
  }
}
