import Foundation
import TestSupport
import Testing

@testable import SnapshotStore

@Suite("Inline snapshots in files")
struct InlineFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private let three = "func test() {\n  check(1)\n  check(2)\n  check(3)\n}\n"

  private func record(_ text: String, line: UInt, over expected: String? = nil, with sources: InlineSources) throws {
    try sources.record(
      text, over: expected, in: folder.path + "/T.swift", line: line, column: 8,
      target: .closure(InlineCall.Closure()))
  }

  private func threeWith(_ lines: Set<Int>) -> String {
    let calls = (2...4).map { line in
      "  check(\(line - 1))" + (lines.contains(line) ? " {\n    \"\"\"\n    \(line)\n    \"\"\"\n  }\n" : "\n")
    }
    return "func test() {\n\(calls.joined())}\n"
  }

  private func program(olderThanSource: Bool = false) throws -> TestProgram {
    try folder.write("", to: "program")
    let offset = olderThanSource ? -10.0 : 10
    try setTime(of: "program", Date(timeIntervalSince1970: 1_000_000 + offset))
    try setTime(of: "T.swift", Date(timeIntervalSince1970: 1_000_000))
    return TestProgram(path: folder.path + "/program")
  }

  private func setTime(of file: String, _ date: Date) throws {
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path + "/" + file)
  }

  @Test("several snapshots are written to their compiled places, in any order")
  func several() throws {
    try folder.write(three, to: "T.swift")
    let sources = InlineSources(program: nil)
    for line: UInt in [3, 2, 4, 3] { try record("\(line)", line: line, with: sources) }
    #expect(folder.text(of: "T.swift") == threeWith([2, 3, 4]))
    #expect(folder.contents == ["T.swift"])
  }

  @Test("each snapshot is written immediately, so a crash loses none")
  func immediately() throws {
    try folder.write(three, to: "T.swift")
    let sources = InlineSources(program: nil)
    try record("3", line: 3, with: sources)
    #expect(folder.text(of: "T.swift") == threeWith([3]))
    try record("2", line: 2, with: sources)
    #expect(folder.text(of: "T.swift") == threeWith([2, 3]))
    #expect(
      sources.compiledSource(of: folder.path + "/T.swift").map { String(decoding: $0, as: UTF8.self) } == three)
  }

  @Test(
    "a crash between the writes of the journal and of the source does not affect the next process",
    arguments: [false, true])
  func crash(isSourceWritten: Bool) throws {
    try folder.write(three, to: "T.swift")
    let program = try program()
    let crashing = InlineSources(program: program)
    try record("2", line: 2, with: crashing)
    let written = folder.text(of: "T.swift")
    try record("3", line: 3, with: crashing)
    if !isSourceWritten { try folder.write(try #require(written), to: "T.swift") }
    try record("4", line: 4, with: InlineSources(program: program))
    #expect(folder.text(of: "T.swift") == threeWith(isSourceWritten ? [2, 3, 4] : [2, 4]))
  }

  @Test("the temporary file of a killed process is removed when the next snapshot is written")
  func temporaryFile() throws {
    // No process has the maximum number.
    let file = ".1.\(Int32.max).tmp"
    try folder.write(three, to: "T.swift")
    try folder.write("", to: file)
    try setTime(of: file, Date(timeIntervalSinceNow: -3_600))
    try record("3", line: 3, with: InlineSources(program: nil))
    #expect(folder.contents == ["T.swift"])
  }

  @Test("two different texts for one assertion are an error")
  func twice() throws {
    try folder.write(three, to: "T.swift")
    let sources = InlineSources(program: nil)
    try record("a", line: 2, with: sources)
    #expect(throws: SnapshotError.self) { try record("b", line: 2, with: sources) }
  }

  @Test("a source with other changes is not rewritten, and the assertion fails")
  func changedMeanwhile() throws {
    try folder.write(three, to: "T.swift")
    let sources = InlineSources(program: nil)
    try record("3", line: 3, with: sources)
    try folder.write(threeWith([3]) + "// mine\n", to: "T.swift")
    let error = #expect(throws: SnapshotError.self) { try record("2", line: 2, with: sources) }
    #expect(error?.description.contains("T.swift was modified after the first snapshot was taken") == true)
    #expect(folder.text(of: "T.swift") == threeWith([3]) + "// mine\n")
  }

  @Test("a source that is newer than the tests is not rewritten")
  func newer() throws {
    try folder.write(three, to: "T.swift")
    let error = #expect(throws: SnapshotError.self) {
      try record("2", line: 2, with: InlineSources(program: program(olderThanSource: true)))
    }
    #expect(error?.description.contains("T.swift was modified after the tests were built") == true)
    try record("2", line: 2, with: InlineSources(program: program()))
  }

  @Test("consecutive processes write to the compiled places of one source")
  func processes() throws {
    try folder.write(three, to: "T.swift")
    let program = try program()
    for line: UInt in [2, 4, 3] {
      let process = InlineSources(program: program)
      try record("\(line)", line: line, with: process)
    }
    #expect(folder.text(of: "T.swift") == threeWith([2, 3, 4]))
  }

  @Test("concurrent processes write to the compiled places of one source")
  func processesAtOnce() throws {
    try folder.write(three, to: "T.swift")
    let program = try program()
    let processes = (0..<3).map { _ in InlineSources(program: program) }
    for (process, line) in zip(processes, [4, 2, 3] as [UInt]) { try record("\(line)", line: line, with: process) }
    try record("2", line: 2, with: processes[2])
    #expect(folder.text(of: "T.swift") == threeWith([2, 3, 4]))
  }

  @Test("two processes cannot write different texts to one place, or to a source with other changes")
  func processesInConflict() throws {
    try folder.write(three, to: "T.swift")
    let program = try program()
    let processes = (0..<3).map { _ in InlineSources(program: program) }
    try record("2", line: 2, with: processes[0])
    let error = #expect(throws: SnapshotError.self) { try record("other", line: 2, with: processes[1]) }
    #expect(error?.description.contains("perhaps in another test process, with different texts") == true)
    try record("2", line: 2, with: processes[2])
    #expect(folder.text(of: "T.swift") == threeWith([2]))
    try folder.write(threeWith([2]) + "// mine\n", to: "T.swift")
    #expect(throws: SnapshotError.self) { try record("3", line: 3, with: processes[2]) }
    #expect(throws: SnapshotError.self) { try record("3", line: 3, with: InlineSources(program: program)) }
  }

  @Test("the journal of an earlier build is ignored")
  func builtAnew() throws {
    try folder.write(three, to: "T.swift")
    let program = try program()
    let first = InlineSources(program: program)
    try record("2", line: 2, with: first)
    // The new build is compiled from the rewritten source, in which the other calls are three lines lower.
    try setTime(of: "program", Date(timeIntervalSinceNow: 60))
    let second = InlineSources(program: program)
    #expect(throws: SnapshotError.self) { try record("3", line: 3, with: second) }
    try record("3", line: 7, with: second)
    #expect(folder.text(of: "T.swift") == threeWith([2, 3]))
  }

  @Test(
    "a journal with edits that do not fit the source is an error, and no file changes",
    arguments: [
      // The edits are outside of the source, malformed, overlapping, or in the middle of a character.
      [[0, 100_000]], [[-1, 0]], [[100_000, 100_001]], [[Int.max, Int.max]], [[3, 2]], [[3]], [[0, 10], [8, 12]],
      [[0, 10], [0, 12]], [[8, 12], [9, 9]], [[4, 5]], [[3, 4]],
    ])
  func damagedJournal(ranges: [[Int]]) throws {
    try folder.write("// \u{E9}\n" + three, to: "T.swift")
    let program = try program()
    try record("1", line: 3, with: InlineSources(program: program))
    let names = ReferenceFiles.names(in: folder.file("inline-snapshots"))
    let file = "inline-snapshots/\(try #require(names.first { $0.hasSuffix(".json") }))"
    let data = Data(try #require(folder.text(of: file)).utf8)
    var journal = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    journal["edits"] = ranges.map { ["range": $0, "replacement": [47]] }
    try JSONSerialization.data(withJSONObject: journal).write(to: URL(fileURLWithPath: folder.file(file)))
    let files = [folder.text(of: "T.swift"), folder.text(of: file)]
    let sources = InlineSources(program: program)
    let error = #expect(throws: SnapshotError.self) { try record("2", line: 4, with: sources) }
    #expect(error?.description.contains("the journal \(folder.file(file)) is damaged") == true)
    #expect([folder.text(of: "T.swift"), folder.text(of: file)] == files)
    #expect(sources.isModified(folder.file("T.swift")) && sources.compiledSource(of: folder.file("T.swift")) != nil)
  }

  @Test("the source keeps its permissions, and a symbolic link to it is kept")
  func attributes() throws {
    try folder.write(three, to: "real.swift")
    let (link, real) = (folder.path + "/T.swift", folder.path + "/real.swift")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.swift")
    let sources = InlineSources(program: nil)
    try record("2", line: 2, with: sources)
    #expect(folder.text(of: "real.swift") == threeWith([2]))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real.swift")
    let attributes = try FileManager.default.attributesOfItem(atPath: real)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }
}
