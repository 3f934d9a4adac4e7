import Foundation
import TestSupport
import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

@Suite("The references of assertions")
struct ReferenceTests {
  private let snapshots = SnapshotFolder()

  @Test("unnamed assertions are numbered from 1 in each test")
  func numbers() {
    for line: UInt in 1...2 { _ = snapshots.failure(of: "a", testName: "one()", in: .made("one()"), line: line) }
    _ = snapshots.failure(of: "a", testName: "two()", in: .made("two()"))
    #expect(snapshots.files == ["one.1.txt", "one.2.txt", "two.1.txt"])
  }

  @Test("the numbers of a test that runs again start at 1")
  func again() {
    let test = CurrentTest.made("again()")
    _ = snapshots.failure(of: "a", in: test, line: 5)
    snapshots.process.resetNumbers(of: test.numberingKey("T.Suite/again()"))
    #expect(snapshots.failure(of: "a", in: test, line: 5) == nil)
    #expect(snapshots.files == ["test.1.txt"])
  }

  @Test("unnamed assertions of a parameterised test have readable arguments in the file name")
  func parameterised() {
    for text in ["puffin", ".cloudy(percent: 20)", "-1", "https://a.com/b", ""] {
      let test = CurrentTest.made(arguments: .known([text, "x"]))
      #expect(snapshots.failure(of: text, testName: "bird(_:_:)", in: test, line: 3)?.hasPrefix("No ref") == true)
    }
    #expect(
      snapshots.files == [
        "bird-_-_@,x.1.txt", "bird-_-_@-1,x.1.txt", "bird-_-_@.cloudy-percent-20,x.1.txt",
        "bird-_-_@https-a.com-b,x.1.txt", "bird-_-_@puffin,x.1.txt",
      ])
  }

  @Test(
    "two tests that reach one file fail with the names of both, in any order and with equal snapshots",
    arguments: [["Owls", "Puffins"], ["Puffins", "Owls"]])
  func equalNames(suites: [String]) throws {
    let lines: [String: UInt] = ["Owls": 10, "Puffins": 20]
    _ = snapshots.failure(of: "a", named: "1", in: .made(suite: suites[0]), line: lines[suites[0]] ?? 0)
    for record in SnapshotTestingConfiguration.Record.allCases {
      let failure = try #require(
        snapshots.failure(
          of: "a", named: "1", record: record, in: .made(suite: suites[1]), line: lines[suites[1]] ?? 0))
      #expect(failure.contains("T.Owls/test() at T/T.swift:10:1"))
      #expect(failure.contains("T.Puffins/test() at T/T.swift:20:1") && failure.contains("with `named:`"))
    }
    #expect(snapshots.files == ["test.1.txt"] && snapshots.text(of: "test.1.txt") == "a")
  }

  @Test("two tests of a helper that passes its own name fail, with the advice to pass the name of the test")
  func helper() throws {
    try snapshots.write("same", to: "test.a.txt")
    let failures = ["one()", "two()"].map { snapshots.failure(of: "same", named: "a", in: .made($0), line: 61) }
    #expect(failures[0] == nil && failures[1]?.contains("T.Suite/one()") == true)
    #expect(failures[1]?.contains("`testName: String = #function`") == true)
  }

  @Test("cases whose arguments have one name fail with the arguments of both, also in later runs")
  func equalArguments() throws {
    for _ in 1...2 {
      let process = TestProcess()
      let failures = ["a/b", "a b"].map { text in
        snapshots.failure(of: "same", in: .made(arguments: .known([text])), line: 62, process: process)
      }
      #expect(failures[1]?.contains("test() with (a/b) at") == true && failures[1]?.contains("with (a b) at") == true)
      #expect(failures[1]?.contains("`named:`") == true && snapshots.files == ["test@a-b.1.txt"])
    }
  }

  @Test("the cases of a test share a named reference while they match")
  func sharedCases() throws {
    try snapshots.write("same", to: "test.a.txt")
    func failure(_ text: String, _ argument: String) -> String? {
      snapshots.failure(of: text, named: "a", record: .failed, in: .made(arguments: .known([argument])), line: 63)
    }
    #expect(failure("same", "1") == nil && failure("same", "2") == nil)
    #expect(failure("other", "3")?.hasPrefix("Cannot use one reference for different snapshots") == true)
    #expect(snapshots.text(of: "test.a.txt") == "same")
  }

  @Test("two assertions of a test with one name are a warning while they match, and fail otherwise")
  func equalNamesInTest() throws {
    try snapshots.write("one", to: "test.a-b.txt")
    #expect(snapshots.failure(of: "one", named: "a b", line: 41) == nil)
    let shared = snapshots.outcome(of: "one", as: .lines, named: "a/b", line: 42)
    #expect(shared.failure == nil && shared.warnings.count == 1)
    #expect(shared.warnings.first?.contains("T/T.swift:41:1 and T/T.swift:42:1") == true)
    for record in [SnapshotTestingConfiguration.Record.all, .failed, .missing] {
      let failure = try #require(snapshots.failure(of: "two", named: "a/b", record: record, line: 42))
      #expect(failure.hasPrefix("Cannot use one reference for different snapshots") && failure.contains("named:"))
      #expect(failure.contains("\u{2212}one") && failure.contains("+two"))
    }
    #expect(snapshots.text(of: "test.a-b.txt") == "one")
  }

  @Test(
    "an assertion that runs again with a different snapshot replaces neither the recorded nor the pending one",
    arguments: [SnapshotTestingConfiguration.Record.missing, .failed, .all, .pending])
  func repeated(record: SnapshotTestingConfiguration.Record) throws {
    _ = snapshots.failure(of: "one", named: "a", record: record, line: 70)
    let failure = try #require(snapshots.failure(of: "two", named: "a", record: record, line: 70))
    #expect(failure.hasPrefix("Cannot use one reference for different snapshots"))
    #expect(snapshots.text(of: "test.a.txt") == (record == .pending ? nil : "one"))
  }

  @Test("concurrent runs of one assertion record one file")
  func atOnce() async {
    let failures = await withTaskGroup { group in
      for _ in 1...32 { group.addTask { snapshots.failure(of: "same", named: "a", line: 100) } }
      return await group.reduce(into: [String]()) { if let failure = $1 { $0.append(failure) } }
    }
    #expect(!failures.isEmpty && failures.allSatisfy { $0.contains("recorded") }, "\(failures)")
    #expect(snapshots.files == ["test.a.txt"])
  }

  @Test("a name without a letter, a digit or an underscore is an error", arguments: ["#", "", "\u{1F600}"])
  func emptyName(name: String) {
    #expect(snapshots.failure(of: "a", named: name)?.contains("Choose another name for `named`") == true)
    #expect(snapshots.files.isEmpty)
  }

  @Test("in the body of an exit test, an assertion needs the name of its test") func exitTest() async {
    await #expect(processExitsWith: .success) {
      let snapshots = SnapshotFolder()
      #expect(snapshots.failure(of: "x", testName: #function)?.contains("Pass `testName:`.") == true)
      #expect(snapshots.failure(of: "x", testName: "exit")?.contains("Automatically recorded") == true)
    }
  }

  @Test("a match with a reference that the same process recorded is a warning")
  func recordedAMomentAgo() {
    _ = snapshots.failure(of: "one", named: "a", line: 71)
    let outcome = snapshots.outcome(of: "one", as: .lines, named: "a", line: 71)
    #expect(outcome.failure == nil && outcome.warnings.first?.contains("recorded a moment ago") == true)
  }

  @Test("a new reference whose name differs from another one only in case is a warning")
  func cases() throws {
    _ = snapshots.failure(of: "one", named: "a", line: 72)
    let warnings = snapshots.outcome(of: "two", as: .lines, named: "A", line: 73).warnings
    #expect(warnings.first?.contains("test.A.txt differs from test.a.txt only in case. ") == true)
    #expect(snapshots.files == ["test.A.txt", "test.a.txt"])
  }

  @Test("one name with two path extensions, prefixes or Unicode forms has two files")
  func differentFiles() {
    let other = Snapshotting<String, String>(pathExtension: "md", diffing: .lines)
    for _ in 1...2 {
      _ = snapshots.outcome(of: "a", as: .lines, named: "caf\u{E9}", line: 80)
      _ = snapshots.outcome(of: "b", as: .lines, named: "cafe\u{301}", line: 81)
      _ = snapshots.outcome(of: "c", as: other, named: "caf\u{E9}", line: 82)
      _ = snapshots.outcome(of: "d", as: .lines.named("dark"), named: "caf\u{E9}", line: 83)
    }
    #expect(snapshots.files.count == 4 && snapshots.text(of: "test.caf\u{E9}.txt") == "a")
    #expect(snapshots.text(of: "test.dark-caf\u{E9}.txt") == "d")
  }

  @Test("an unnamed assertion fails and recommends a name if the arguments of the case are unknown")
  func unknownArguments() {
    let tests = [
      (CurrentTest.made(arguments: .unreadable), "test()", "cannot be read"),
      (CurrentTest(), "bird(_:)", "unknown in a detached task"),
    ]
    for (test, function, reason) in tests {
      let failure = snapshots.failure(of: "a", testName: function, in: test)
      #expect(failure?.contains("`named:") == true && failure?.contains(reason) == true)
      #expect(snapshots.failure(of: "a", named: "x", testName: function, in: test)?.contains("recorded") == true)
    }
    let older = CurrentTest(runner: .xcTest)
    #expect(snapshots.failure(of: "a", testName: "helper(_:)", in: older)?.contains("recorded") == true)
    #expect(snapshots.failure(of: "a", testName: "detached()", in: CurrentTest())?.contains("recorded") == true)
  }

  @Test("nothing is recorded or left pending if the sources were moved after the build")
  func movedSources() {
    for record in [SnapshotTestingConfiguration.Record.missing, .all, .pending] {
      let outcome = snapshots.outcome(of: "a", as: .lines, record: record, file: "/moved/Tests/T.swift")
      #expect(outcome.failure?.contains("the source file /moved/Tests/T.swift does not exist") == true)
    }
    #expect(snapshots.files.isEmpty && !FileManager.default.fileExists(atPath: "/moved"))
    // Where nothing is written, the sources need not exist.
    let missing = snapshots.outcome(of: "a", as: .lines, record: .never, file: "/moved/Tests/T.swift")
    #expect(missing.failure != nil && missing.failure?.contains("/moved/Tests/T.swift does not exist") == false)
  }
}

@Suite("The running test")
struct CurrentTestTests {
  @Test("the arguments of the running case are read", arguments: [1, 2], ["a b", ""])
  func arguments(number: Int, text: String) {
    #expect(CurrentTest.running.arguments == .known(["\(number)", text]))
  }

  enum Bird: Sendable { case owl(legs: Int) }

  private final class Nest: Sendable {
    let eggs: Int
    init(eggs: Int) { self.eggs = eggs }
  }

  @Test("arguments of custom types are read", arguments: [Bird.owl(legs: 2)], [Nest(eggs: 1), Nest(eggs: 2)])
  private func ownArguments(bird: Bird, nest: Nest) {
    #expect(CurrentTest.running.arguments == .known([".owl(legs: 2)", "Nest(eggs: \(nest.eggs))"]))
  }

  @Test("functions as arguments are unreadable", arguments: [{ 1 }, { 2 }] as [@Sendable () -> Int])
  func functions(function: @Sendable () -> Int) {
    #expect(CurrentTest.running.arguments == .unreadable)
  }

  @Test("arguments are unreadable if their text does not show their data, or the test library stores them elsewhere")
  func unreadable() {
    typealias Arguments = CurrentTest.Arguments
    #expect(Arguments(inCase: (arguments: [(value: DateFormatter(), id: 0)], discriminator: 0)) == .unreadable)
    #expect(Arguments(inCase: (values: [1], discriminator: 0)) == .unreadable)
    #expect(Arguments(inCase: (arguments: [(content: 1, id: 0)], discriminator: 0)) == .unreadable)
    #expect(Arguments(inCase: (arguments: [(value: 1, id: 0)], discriminator: 0)) == .known(["1"]))
  }

  @Suite struct `Inner / Suite` {
    @Test("the suites of a test are known; otherwise they are the file, as in XCTest")
    func names() {
      let site = AssertionSite(fileID: "T/File.swift", filePath: "/T/File.swift", line: 1, column: 1)
      #expect(CurrentTest.running.suites(at: site) == ["CurrentTestTests", "Inner / Suite"])
      #expect(CurrentTest().suites(at: site) == ["File"] && CurrentTest().id(of: "a()", at: site) == "T.File/a()")
    }
  }
}
