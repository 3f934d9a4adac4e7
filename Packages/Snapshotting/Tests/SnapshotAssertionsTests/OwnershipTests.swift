import Foundation
import Testing

@testable import SnapshotAssertions

// Two tests of one name. Each notes where it is; those below make assertions in their names, in either order.
private enum Places {
  static let owls: UInt = 16
  static let puffins: UInt = 20
  static let nest: UInt = 17
  static let free: UInt = 22
  static let words: UInt = 24
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

@Suite("Two suites with functions of one name")
struct OwnershipTests {
  private struct Bird {
    let text: String
    let suite: String
    let line: UInt

    static let owl = Bird(text: "owl", suite: "DeclaredFirst", line: Places.owls)
    static let puffin = Bird(text: "puffin", suite: "DeclaredSecond", line: Places.puffins)
  }

  private func outcome(
    of bird: Bird, text: String? = nil, record: SnapshotTestingConfiguration.Record = .missing, on bench: Bench,
    runner: RunningTest.Runner = .swiftTesting
  ) -> AssertionOutcome {
    let test =
      runner == .swiftTesting
      ? RunningTest.made(line: Int(bird.line), suites: [bird.suite])
      : RunningTest.made(runner: .xcTest, line: 0, name: "")
    return bench.outcome(
      of: text ?? bird.text, as: .lines, named: "x", record: record, testName: "bird()", in: test, file: #filePath,
      line: bird.line)
  }

  @Test("the one that is declared first has the plain name, whichever runs first", arguments: [false, true])
  func order(isReversed: Bool) {
    let bench = Bench()
    let birds = isReversed ? [Bird.puffin, .owl] : [.owl, .puffin]
    for bird in birds {
      let failure = outcome(of: bird, on: bench).failure
      #expect(failure?.contains("Automatically recorded") == true && failure?.contains("differs") == false)
    }
    #expect(bench.files == ["bird.x.txt", "bird@DeclaredSecond.x.txt"])
    #expect(bench.text(of: "bird.x.txt") == "owl" && bench.text(of: "bird@DeclaredSecond.x.txt") == "puffin")
    for bird in birds { #expect(outcome(of: bird, record: .never, on: bench).failure == nil) }
  }

  @Test("also when only the other one has run, and when everything is recorded anew", arguments: [false, true])
  func alone(isReversed: Bool) {
    let bench = Bench()
    _ = outcome(of: .puffin, on: bench)
    #expect(bench.files == ["bird@DeclaredSecond.x.txt"])
    for bird in isReversed ? [Bird.puffin, .owl] : [.owl, .puffin] { _ = outcome(of: bird, record: .all, on: bench) }
    #expect(bench.text(of: "bird.x.txt") == "owl" && bench.text(of: "bird@DeclaredSecond.x.txt") == "puffin")
  }

  @Test("an old file that is not what the second one shows stays the first one's, and the failure shows it")
  func oldFile() throws {
    let bench = Bench()
    try bench.write("owl", to: "bird.x.txt")
    let failure = try #require(outcome(of: .puffin, on: bench).failure)
    #expect(failure.hasPrefix("No reference was found on disk. Automatically recorded snapshot: …"))
    #expect(failure.contains("bird.x.txt with a test of the same name") && failure.contains("\u{2212}owl"))
    #expect(bench.text(of: "bird.x.txt") == "owl" && bench.text(of: "bird@DeclaredSecond.x.txt") == "puffin")
  }

  @Test("an old file that both match is shared, whichever runs first, and changed by the first one only")
  func shared() throws {
    for birds in [[Bird.owl, .puffin], [.puffin, .owl]] {
      let bench = Bench()
      try bench.write("same", to: "bird.x.txt")
      let outcomes = birds.map { outcome(of: $0, text: "same", record: .failed, on: bench) }
      #expect(outcomes.allSatisfy { $0.failure == nil } && outcomes.map(\.warnings.count) == [0, 1])
      let changed = outcome(of: .owl, text: "other", record: .failed, on: bench).failure
      #expect(changed?.hasPrefix("Snapshot \"x\" does not match reference. A new snapshot was") == true)
      _ = outcome(of: .puffin, text: "same", record: .failed, on: bench)
      #expect(bench.text(of: "bird.x.txt") == "other" && bench.text(of: "bird@DeclaredSecond.x.txt") == "same")
    }
  }

  @Test("a free function is before those in suites, wherever it is declared")
  func free() {
    let bench = Bench()
    for (text, suites, line) in [("suite", ["DeclaredFirst"], Places.nest), ("free", [], Places.free)] {
      _ = bench.outcome(
        of: text, as: .lines, named: "x", testName: "nest()", in: .made(line: Int(line), suites: suites),
        file: #filePath,
        line: line)
    }
    #expect(bench.files == ["nest.x.txt", "nest@DeclaredFirst.x.txt"] && bench.text(of: "nest.x.txt") == "free")
  }

  @Test("functions whose names are one in a file's name are such, too", arguments: [false, true])
  func words(isReversed: Bool) {
    let bench = Bench()
    let tests = [("a b()", Places.words), ("a-b()", Places.words + 1)]
    for _ in 1...2 {
      for (name, line) in isReversed ? tests.reversed() : tests {
        _ = bench.outcome(
          of: name, as: .lines, named: "x", testName: name, in: .made(line: Int(line), suites: ["Names in words"]),
          file: #filePath, line: line)
      }
    }
    #expect(
      bench.files == ["a-b.x.txt", "a-b@Names~20in~20words~2Ea-b.x.txt"] && bench.text(of: "a-b.x.txt") == "a b()")
  }

  @Test("tests of one name in two files that have one folder keep apart: the first one stays")
  func otherFile() {
    let bench = Bench()
    _ = outcome(of: .owl, on: bench)
    let stranger = RunningTest.made(line: 90, suites: ["DeclaredFirst"])
    _ = bench.outcome(
      of: "stranger", as: .lines, named: "x", testName: "bird()", in: stranger, file: "/elsewhere/Other.swift", line: 91
    )
    #expect(bench.files == ["bird.x.txt", "bird@DeclaredFirst.x.txt"] && bench.text(of: "bird.x.txt") == "owl")
  }

  @Test("also the other way around, when the folder is first somebody else's")
  func otherFileFirst() {
    let bench = Bench()
    let stranger = RunningTest.made(line: 90, suites: ["Strangers"])
    _ = bench.outcome(
      of: "stranger", as: .lines, named: "x", testName: "bird()", in: stranger, file: "/elsewhere/Other.swift", line: 91
    )
    _ = outcome(of: .owl, record: .all, on: bench)
    #expect(bench.files == ["bird.x.txt", "bird@DeclaredFirst.x.txt"] && bench.text(of: "bird.x.txt") == "stranger")
  }

  @Test("a helper's line does not make it another suite's")
  func helper() {
    let bench = Bench()
    let puffins = RunningTest.made(line: Int(Places.puffins), suites: ["DeclaredSecond"])
    _ = bench.outcome(
      of: "puffin", as: .lines, named: "x", testName: "bird()", in: puffins, file: #filePath, line: Places.owls)
    #expect(bench.files == ["bird@DeclaredSecond.x.txt"])
  }

  @Test("where XCTest does not say which test it is, the place of the assertion does")
  func unknown() throws {
    let bench = Bench()
    #expect(outcome(of: .puffin, on: bench, runner: .xcTest).failure != nil)
    #expect(bench.files == ["bird@DeclaredSecond.x.txt"])
    // What has the plain name is another test's, also when it is the same: another process looks at the folder anew.
    let again = Bench(folder: bench.folder + "-again")
    try again.write("puffin", to: "bird.x.txt")
    try again.write("owl", to: "bird@DeclaredSecond.x.txt")
    #expect(
      outcome(of: .puffin, record: .never, on: again, runner: .xcTest).failure?.contains("does not match") == true)
  }
}

@Suite("The tests that a source declares")
struct TestDeclarationTests {
  private func tests(in source: String) -> [TestDeclarations.Declaration] {
    TestDeclarations(source: Array(source.utf8)).all
  }

  @Test("with their suites, labels and lines")
  func all() {
    let source = #"""
      import Testing
      // @Test func comment() {}
      @Test func free() { let text = "func inText() {}" }
      @Suite(.serialized) struct Outer {
        enum Inner {
          @MainActor @Test("says (", arguments: [1], ["a"]) public static func cases(_ x: Int, of y: [String: Int] = [:])
            async throws {
            if x == 1 { return }
          }
        }
        func helper() {}
        @Test func `a b`() {}
      }
      extension Outer.Inner { @Testing.Test func more(f: (Int, Int) -> Void, g: Dictionary<Int, Int>, h: Int) {} }
      final class Older: XCTestCase {
        class func test() {}
        func testOne() async throws {
        }
        func testHelper(x: Int) {}
        override func setUp() {}
      }
      """#
    let found = tests(in: source)
    #expect(
      found.map(\.name) == ["free()", "cases(_:of:)", "a b()", "more(f:g:h:)", "test()", "testOne()"])
    #expect(
      found.map(\.types) == [[], ["Outer", "Inner"], ["Outer"], ["Outer", "Inner"], ["Older"], ["Older"]])
    #expect(found.map(\.lines) == [3...3, 6...9, 12...12, 14...14, 16...16, 17...18])
    #expect(TestDeclarations(source: Array(source.utf8)).named("`a b`()").count == 1)
  }

  @Test("none in what cannot be read")
  func unreadable() {
    #expect(
      InlineSources.shared.compiledSource(of: "/nowhere.swift") == nil && TestDeclarations(source: []).all.isEmpty)
    #expect(tests(in: "@Test func a() { \"").isEmpty)
    #expect(tests(in: "@Test func a(").isEmpty && tests(in: "func").isEmpty && tests(in: "@Test func a() {").isEmpty)
  }
}
