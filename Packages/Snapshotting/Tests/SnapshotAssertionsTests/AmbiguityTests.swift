import Foundation
import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

// Tests with one name or one plain form. Each checks its line. The tests below make assertions for them.
private enum Places {
  static let owls: UInt = 17
  static let puffins: UInt = 21
  static let nest: UInt = 18
  static let free: UInt = 23
  static let words: UInt = 25
}

@Suite struct DeclaredFirst {
  @Test func bird() { #expect(#line == Places.owls) }
  @Test func nest() { #expect(#line == Places.nest) }
}
@Suite struct DeclaredSecond {
  @Test func bird() { #expect(#line == Places.puffins) }
}
@Test func nest() { #expect(#line == Places.free) }
@Suite struct `Names in words` {
  @Test func `a b`() { #expect(#line == Places.words && currentTest().suites() == ["Names in words"]) }
  @Test func `a-b`() { #expect(#line == Places.words + 1) }
}

@Suite("Two tests of one source file with one plain file name")
struct AmbiguityTests {
  private struct Bird {
    let text: String
    let suite: String
    let line: UInt

    static let owl = Bird(text: "owl", suite: "DeclaredFirst", line: Places.owls)
    static let puffin = Bird(text: "puffin", suite: "DeclaredSecond", line: Places.puffins)
  }

  private let snapshots = SnapshotFolder()

  private func outcome(
    of bird: Bird, text: String? = nil, record: SnapshotTestingConfiguration.Record = .missing,
    on snapshots: SnapshotFolder,
    runner: RunningTest.Runner = .swiftTesting
  ) -> AssertionOutcome {
    let test =
      runner == .swiftTesting
      ? RunningTest.made(line: Int(bird.line), suites: [bird.suite])
      : RunningTest.made(runner: .xcTest, line: 0, name: "")
    return snapshots.outcome(
      of: text ?? bird.text, as: .lines, named: "x", record: record, testName: "bird()", in: test, file: #filePath,
      line: bird.line)
  }

  @Test("both tests have their suite in the file name, in any order", arguments: [false, true])
  func order(isReversed: Bool) {
    let birds = isReversed ? [Bird.puffin, .owl] : [.owl, .puffin]
    for bird in birds {
      #expect(outcome(of: bird, on: snapshots).failure?.contains("Automatically recorded") == true)
    }
    #expect(snapshots.files == ["bird@DeclaredFirst.x.txt", "bird@DeclaredSecond.x.txt"])
    for bird in birds {
      #expect(snapshots.text(of: "bird@\(bird.suite).x.txt") == bird.text)
      #expect(outcome(of: bird, record: .never, on: snapshots).failure == nil)
    }
  }

  @Test("a test that runs alone has the same file", arguments: [SnapshotTestingConfiguration.Record.missing, .all])
  func alone(record: SnapshotTestingConfiguration.Record) {
    _ = outcome(of: .puffin, record: record, on: snapshots)
    #expect(snapshots.files == ["bird@DeclaredSecond.x.txt"])
  }

  @Test("an old file without suites that differs is a failure, in any order", arguments: [false, true])
  func differentOldFile(isReversed: Bool) throws {
    try snapshots.write("owl", to: "bird.x.txt")
    if isReversed { #expect(outcome(of: .owl, on: snapshots).failure == nil) }
    let failure = try #require(outcome(of: .puffin, on: snapshots).failure)
    #expect(failure.hasPrefix("Snapshot \"x\" does not match reference.") && failure.contains("\u{2212}owl"))
    #expect(failure.contains("Recording writes the separate file bird@DeclaredSecond.x.txt"))
    #expect(snapshots.files == ["bird.x.txt"] && snapshots.text(of: "bird.x.txt") == "owl")
    #expect(outcome(of: .owl, on: snapshots).failure == nil)
  }

  @Test(
    "recording does not change an old file without suites",
    arguments: [SnapshotTestingConfiguration.Record.failed, .all])
  func recordedOldFile(record: SnapshotTestingConfiguration.Record) throws {
    try snapshots.write("old", to: "bird.x.txt")
    for bird in [Bird.owl, .puffin] { #expect(outcome(of: bird, record: record, on: snapshots).failure != nil) }
    #expect(snapshots.files == ["bird.x.txt", "bird@DeclaredFirst.x.txt", "bird@DeclaredSecond.x.txt"])
    #expect(snapshots.text(of: "bird.x.txt") == "old")
    for bird in [Bird.owl, .puffin] { #expect(outcome(of: bird, record: .never, on: snapshots).failure == nil) }
  }

  @Test("both tests share an old file while they match it")
  func shared() throws {
    for birds in [[Bird.owl, .puffin], [.puffin, .owl]] {
      let snapshots = SnapshotFolder()
      try snapshots.write("same", to: "bird.x.txt")
      let outcomes = birds.map { outcome(of: $0, text: "same", record: .failed, on: snapshots) }
      #expect(outcomes.allSatisfy { $0.failure == nil } && outcomes.map(\.warnings.count) == [0, 1])
      let changed = outcome(of: .owl, text: "other", record: .failed, on: snapshots).failure
      #expect(changed?.hasPrefix("Snapshot \"x\" does not match reference. A new snapshot was") == true)
      #expect(outcome(of: .puffin, text: "same", record: .failed, on: snapshots).failure == nil)
      #expect(snapshots.text(of: "bird.x.txt") == "same" && snapshots.text(of: "bird@DeclaredFirst.x.txt") == "other")
    }
  }

  @Test("a file without suites and a file with suites are both found")
  func mixed() throws {
    try snapshots.write("owl", to: "bird.x.txt")
    try snapshots.write("puffin", to: "bird@DeclaredSecond.x.txt")
    for bird in [Bird.puffin, .owl] { #expect(outcome(of: bird, record: .never, on: snapshots).failure == nil) }
  }

  @Test("a free function has no suite in its file name")
  func free() {
    for (text, suites, line) in [("suite", ["DeclaredFirst"], Places.nest), ("free", [], Places.free)] {
      _ = snapshots.outcome(
        of: text, as: .lines, named: "x", testName: "nest()", in: .made(line: Int(line), suites: suites),
        file: #filePath, line: line)
    }
    #expect(
      snapshots.files == ["nest.x.txt", "nest@DeclaredFirst.x.txt"] && snapshots.text(of: "nest.x.txt") == "free")
  }

  @Test("two names of one suite with one plain form have their function in the file name", arguments: [false, true])
  func words(isReversed: Bool) {
    let tests = [("a b()", Places.words), ("a-b()", Places.words + 1)]
    for _ in 1...2 {
      for (name, line) in isReversed ? tests.reversed() : tests {
        _ = snapshots.outcome(
          of: name, as: .lines, named: "x", testName: name, in: .made(line: Int(line), suites: ["Names in words"]),
          file: #filePath, line: line)
      }
    }
    let files = ["a-b@Names~20in~20words~2Ea-b.x.txt", "a-b@Names~20in~20words~2Ea~20b.x.txt"]
    #expect(snapshots.files == files && files.map(snapshots.text(of:)) == ["a-b()", "a b()"])
  }

  @Test("tests in two source files with one folder have separate files: the later one gets its suite")
  func otherFile() {
    for (file, suite) in [("/a/A.swift", "A"), ("/b/B.swift", "B")] as [(StaticString, String)] {
      let test = RunningTest.made(line: 90, suites: [suite])
      _ = snapshots.outcome(of: suite, as: .lines, named: "x", testName: "bird()", in: test, file: file, line: 91)
    }
    #expect(snapshots.files == ["bird.x.txt", "bird@B.x.txt"] && snapshots.text(of: "bird.x.txt") == "A")
  }

  @Test("the line of a helper does not change the suite of the test")
  func helper() {
    let puffins = RunningTest.made(line: Int(Places.puffins), suites: ["DeclaredSecond"])
    _ = snapshots.outcome(
      of: "puffin", as: .lines, named: "x", testName: "bird()", in: puffins, file: #filePath, line: Places.owls)
    #expect(snapshots.files == ["bird@DeclaredSecond.x.txt"])
  }

  @Test("if XCTest does not identify the test, the place of the assertion does")
  func unknown() throws {
    #expect(outcome(of: .puffin, on: snapshots, runner: .xcTest).failure != nil)
    #expect(snapshots.files == ["bird@DeclaredSecond.x.txt"])
    // A later process reads the folder again.
    let again = SnapshotFolder(path: snapshots.path + "-again")
    try again.write("puffin", to: "bird.x.txt")
    try again.write("owl", to: "bird@DeclaredSecond.x.txt")
    #expect(
      outcome(of: .puffin, record: .never, on: again, runner: .xcTest).failure?.contains("does not match") == true)
  }
}
