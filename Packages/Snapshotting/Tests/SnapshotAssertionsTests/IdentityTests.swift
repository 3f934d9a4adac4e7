import Foundation
import TestSupport
import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

@Suite("Each assertion has a file of its own")
struct IdentityTests {
  private let bench = Bench()

  @Test("unnamed ones are counted from 1, in each test by itself")
  func counters() {
    for _ in 1...2 { _ = bench.failure(of: "a", testName: "one()", in: .made(line: 1)) }
    _ = bench.failure(of: "a", testName: "two()", in: .made(line: 2))
    #expect(bench.files == ["one.1.txt", "one.2.txt", "two.1.txt"])
  }

  @Test("a test that is run again counts from 1 again")
  func again() {
    let test = RunningTest.made(line: 77)
    _ = bench.failure(of: "a", in: test, line: 5)
    ReferenceStore.shared.resetNumbers(of: test.identity)
    #expect(bench.failure(of: "a", in: test, line: 5) == nil)
    #expect(bench.files == ["test.1.txt"])
  }

  @Test("pain: the cases of a parameterised test have their arguments in the name")
  func parameterised() {
    for argument in ["puffin", "a b"] {
      let arguments = RunningTest.Arguments.known(ReferenceNaming.escaped(argument))
      _ = bench.failure(of: argument, testName: "bird(_:)", in: .made(arguments: arguments, suites: ["Birds"]), line: 3)
    }
    #expect(bench.files == ["bird-_@a~20b.1.txt", "bird-_@puffin.1.txt"])
  }

  @Test("pain: cases that cannot be told apart never share a file: an unnamed assertion asks for a name")
  func unreadable() {
    let test = RunningTest.made(arguments: .unreadable)
    #expect(bench.failure(of: "a", in: test)?.contains("named:") == true)
    #expect(bench.files.isEmpty)
    #expect(bench.failure(of: "a", named: "x", in: test)?.contains("Automatically recorded") == true)
  }

  @Test(
    "pain: a/b, a b and a-b are three files; so are an emoji, two dots and nothing",
    arguments: [
      ["a/b", "a b", "a-b"], ["a-b", "a/b", "a b"], ["😀", "..", ""],
    ])
  func lossyNames(names: [String]) {
    for _ in 1...2 {
      for (line, name) in names.enumerated() {
        _ = bench.failure(of: "content of \(name)", named: name, line: UInt(line))
      }
    }
    #expect(bench.files.count == 3)
    for (line, name) in names.enumerated() {
      #expect(bench.failure(of: "content of \(name)", named: name, record: .never, line: UInt(line)) == nil)
      #expect(bench.failure(of: "other", named: name, record: .never, line: UInt(line)) != nil)
    }
  }

  @Test("an old file of such a name is used as it is")
  func oldFile() throws {
    try bench.write("old", to: "test.a-b.txt")
    #expect(bench.failure(of: "old", named: "a b") == nil)
    #expect(bench.files == ["test.a-b.txt"])
  }

  @Test("pain: functions of one name in two suites keep apart")
  func suites() throws {
    let (owls, puffins) = (
      RunningTest.made(line: 10, suites: ["Owls"]), RunningTest.made(line: 20, suites: ["Puffins"])
    )
    _ = bench.failure(of: "owl", in: owls, line: 11)
    _ = bench.failure(of: "puffin", in: puffins, line: 21)
    #expect(bench.files == ["test.1.txt", "test@Puffins.1.txt"])
    for test in [owls, puffins] { ReferenceStore.shared.resetNumbers(of: test.identity) }
    #expect(bench.failure(of: "owl", record: .never, in: owls, line: 11) == nil)
    #expect(bench.failure(of: "puffin", record: .never, in: puffins, line: 21) == nil)
  }

  @Test("an old file that two suites share, and both match, is told of once and fails nobody")
  func sharedOldFile() throws {
    try bench.write("same", to: "test.1.txt")
    let suites = ["A", "B", "C"].enumerated().map { RunningTest.made(line: 30 + $0, suites: [$1]) }
    let outcomes = suites.map { bench.outcome(of: "same", as: .lines, in: $0, line: UInt($0.identity.line)) }
    #expect(outcomes.allSatisfy { $0.failure == nil })
    #expect(outcomes.map(\.warnings.count) == [0, 1, 0])
    #expect(outcomes[1].warnings[0].contains("T/T.swift:30") && outcomes[1].warnings[0].contains("T/T.swift:31"))
    #expect(bench.files == ["test.1.txt"])
  }

  @Test("two assertions that would write one file are an error that names both")
  func conflict() throws {
    _ = bench.failure(of: "one", named: "a", line: 41)
    let failure = try #require(bench.failure(of: "two", named: "a", line: 42))
    #expect(failure.contains("T/T.swift:41") && failure.contains("T/T.swift:42") && failure.contains("named:"))
    #expect(failure.contains("\u{2212}one") && failure.contains("+two"))
    #expect(bench.text(of: "test.a.txt") == "one")
    #expect(bench.failure(of: "two", named: "a", record: .all, line: 42) == failure)
    #expect(bench.failure(of: "one", named: "a", line: 41) == nil)
  }

  @Test("also in a suite, whose name would make another file")
  func conflictInSuite() {
    let test = RunningTest.made(line: 50, suites: ["Birds"])
    _ = bench.failure(of: "one", named: "a", in: test, line: 51)
    #expect(bench.failure(of: "two", named: "a", in: test, line: 52)?.contains("for two assertions") == true)
    #expect(bench.files == ["test.a.txt"])
  }

  @Test("the arguments of real cases are read", arguments: [1, 2], ["a b", ""])
  func realArguments(number: Int, text: String) {
    #expect(currentTest().arguments == .known("\(number),\(text.isEmpty ? "~" : "a~20b")"))
  }

  enum Bird: Sendable { case owl(legs: Int) }

  @Test("also when they are values of one's own", arguments: [Bird.owl(legs: 2)])
  func ownArguments(bird: Bird) {
    #expect(currentTest().arguments == .known(ReferenceNaming.escaped(".owl(legs: 2)")))
    #expect(currentTest().suites() == ["IdentityTests"])
  }

  @Test("equal arguments are told apart by their number", arguments: ["x", "x"])
  func equalArguments(text: String) {
    #expect([.known("x"), .known("x,,1")].contains(currentTest().arguments))
  }

  @Test(
    "functions, which all look alike, cannot be read",
    arguments: [{ 1 }, { 2 }, { 3 }] as [@Sendable () -> Int])
  func functions(function: @Sendable () -> Int) {
    #expect(currentTest().arguments == .unreadable)
  }

  @Test("what the library keeps somewhere else cannot be read")
  func changedLibrary() {
    #expect(readArguments(inCase: (values: [1], discriminator: 0)) == (.unreadable, 0))
    #expect(readArguments(inCase: (arguments: [(content: 1, id: 0)], discriminator: 0)) == (.unreadable, 0))
    #expect(readArguments(inCase: (arguments: [(value: 1, id: 0)], discriminator: 0)) == (.known("1"), 0))
  }

  private final class Nest: Sendable {
    let eggs: Int
    init(eggs: Int) { self.eggs = eggs }
  }

  @Test("objects are distinguished by contents, not by order", arguments: [Nest(eggs: 1), Nest(eggs: 2)])
  private func objects(nest: Nest) {
    #expect(currentTest().arguments == .known(ReferenceNaming.escaped("Nest(eggs: \(nest.eggs))")))
  }

  @Test("objects that look alike share a file while their snapshots are equal")
  func equalObjects() throws {
    let cases = (0...1).map { RunningTest.made(line: 65, arguments: .known("Nest"), caseNumber: $0) }
    for test in cases { _ = bench.failure(of: "same", in: test, line: 66) }
    #expect(bench.files == ["test@Nest.1.txt"])
    ReferenceStore.shared.resetNumbers(of: cases[1].identity)
    let failure = try #require(bench.failure(of: "other", in: cases[1], line: 66))
    #expect(failure.hasPrefix("Cannot use one reference for two cases of a test"))
  }

  @Test("the two forms of one letter are two names")
  func normalForms() {
    let names = ["caf\u{E9}", "cafe\u{301}"]
    for _ in 1...2 {
      for (line, name) in names.enumerated() { _ = bench.failure(of: "\(line)", named: name, line: UInt(line)) }
    }
    #expect(bench.files.count == 2)
    for (line, name) in names.enumerated() {
      #expect(bench.failure(of: "\(line)", named: name, record: .never, line: UInt(line)) == nil)
    }
    #expect(bench.text(of: "test.caf\u{E9}.txt") == "0")
  }

  @Test("the names of XCTest are read in the form of every platform")
  func namesOfXCTest() throws {
    for (name, suite) in [("Birds.testA", "Birds"), ("-[Module.Birds testA]", "Birds"), ("-[Birds testA]", "Birds")] {
      let found = try #require(parts(ofXCTest: name))
      #expect(found.suite == suite && found.test == "testA")
    }
    #expect(parts(ofXCTest: "") == nil)
  }

  @Test("cases that a given name keeps together share its file while they are the same, and are told when not")
  func namedCases() throws {
    let cases = ["1", "2", "3"].map { RunningTest.made(line: 60, arguments: .known($0), suites: ["Birds"]) }
    for test in cases { _ = bench.failure(of: "same", named: "a", in: test, line: 61) }
    let outcomes = cases.map { bench.outcome(of: "same", as: .lines, named: "a", in: $0, line: 61) }
    #expect(outcomes.allSatisfy { $0.failure == nil && $0.warnings.isEmpty })
    #expect(bench.files == ["test.a.txt"])
    for record in [SnapshotTestingConfiguration.Record.missing, .failed, .all] {
      let failure = try #require(bench.failure(of: "other", named: "a", record: record, in: cases[1], line: 61))
      #expect(failure.contains("the cases (1) and (2)") && failure.contains("named:"))
    }
    #expect(bench.text(of: "test.a.txt") == "same" && bench.files == ["test.a.txt"])
    let again = Bench()
    let failures = cases.map { again.failure(of: "same", named: "a", record: .all, in: $0, line: 61) }
    #expect(failures.map { $0 == nil } == [false, true, true])
  }

  @Test(
    "a helper that tells its own name instead of the test's has one file, and different tests are told to hand theirs on"
  )
  func helper() throws {
    let tests = (91...93).map { RunningTest.made(line: $0, suites: ["Birds"]) }
    let first = tests.map { bench.failure(of: "same", testName: "check(_:)", in: $0, line: 90) }
    #expect(first.map { $0 == nil } == [false, true, true])
    let failure = try #require(
      bench.failure(of: "other", testName: "check(_:)", in: .made(line: 94, suites: ["Birds"]), line: 90))
    #expect(failure.hasPrefix("Cannot use one reference for two tests: both run the assertion at T/T.swift:90"))
    #expect(bench.files == ["check-_.1.txt"])
  }

  @Test("many tests at once that make one assertion: the first one records, and all others see that")
  func atOnce() async {
    let failures = await withTaskGroup { group in
      for line in 101...132 {
        group.addTask {
          bench.failure(of: "same", testName: "init()", in: .made(line: line, suites: ["Birds"]), line: 100)
        }
      }
      return await group.reduce(into: [String]()) { if let failure = $1 { $0.append(failure) } }
    }
    #expect(failures.count == 1 && failures.first?.contains("Automatically recorded") == true, "\(failures)")
    #expect(bench.files == ["init.1.txt"])
  }

  @Test("one assertion that is made again with another value, by the same name, is no reason to write over the first")
  func repeated() throws {
    for record in [SnapshotTestingConfiguration.Record.missing, .failed, .all] {
      let bench = Bench()
      _ = bench.failure(of: "one", named: "a", record: record, line: 70)
      let failure = try #require(bench.failure(of: "two", named: "a", record: record, line: 70))
      #expect(failure.hasPrefix("Cannot use one reference for different snapshots"))
      #expect(bench.text(of: "test.a.txt") == "one")
    }
  }

  @Test("two places on one line are told apart by their columns")
  func placesOnOneLine() {
    let sites = [1, 30].map { AssertionSite(fileID: "T/T.swift", filePath: "/T/T.swift", line: 7, column: $0) }
    let message = conflictMessage(shownPath: "x", first: sites[0], second: sites[1])
    #expect(message.contains("T/T.swift:7:1 and T/T.swift:7:30"))
  }

  @Test("in a detached task an unnamed assertion of a helper asks for a name: nobody knows the test")
  func detachedHelper() {
    let test = RunningTest.made(line: 0)
    func failure(of name: String?, in function: String) -> String? {
      bench.outcome(of: "a", as: .lines, named: name, testName: function, in: test, file: #filePath).failure
    }
    for function in ["check()", "check(_:)"] {
      #expect(failure(of: nil, in: function)?.contains("\"\(function)\" is not a test") == true)
    }
    #expect(bench.files.isEmpty)
    #expect(failure(of: "x", in: "check()")?.contains("Automatically recorded") == true)
    #expect(failure(of: nil, in: "detachedHelper()")?.contains("Automatically recorded") == true)
  }

  @Test("in a detached task of a test with parameters an unnamed assertion asks for a name: nobody knows the case")
  func detachedCase() {
    let test = RunningTest.made(line: 0)
    #expect(bench.failure(of: "a", testName: "bird(_:)", in: test)?.contains("`named:") == true)
    #expect(bench.failure(of: "a", testName: "bird()", in: test)?.contains("Automatically recorded") == true)
    #expect(bench.failure(of: "a", named: "x", testName: "bird(_:)", in: test)?.contains("recorded") == true)
    let older = RunningTest.made(runner: .xcTest, line: 0)
    #expect(bench.failure(of: "a", testName: "helper(_:)", in: older)?.contains("Automatically recorded") == true)
    #expect(bench.files == ["bird-_.x.txt", "bird.1.txt", "helper-_.1.txt"])
  }

  @Test("the numbers of all tests start at 1 again when XCTest starts another test")
  func resetNumbers() {
    // A separate store, because all tests of this process use the shared one.
    let store = ReferenceStore()
    func path() -> String { store.reference(in: TestIdentity(line: 78)).path }
    #expect([path(), path()] == ["/nowhere/test.1.txt", "/nowhere/test.2.txt"])
    store.resetAllNumbers()
    #expect(path() == "/nowhere/test.1.txt")
    #expect(store.usedPaths == ["/nowhere/test.1.txt", "/nowhere/test.2.txt"])
  }

  @Test("one name with two path extensions is two files")
  func pathExtensions() {
    let other = Snapshotting<String, String>(pathExtension: "md", diffing: .lines)
    for _ in 1...2 {
      _ = bench.outcome(of: "a", as: .lines, named: "a", line: 80)
      _ = bench.outcome(of: "b", as: other, named: "a", line: 81)
    }
    #expect(bench.files == ["test.a.md", "test.a.txt"])
    #expect(bench.outcome(of: "b", as: other, named: "a", record: .never, line: 81).failure == nil)
  }

  @Test("100,000 assertions with one name have one reference")
  func memory() {
    let store = ReferenceStore()
    for _ in 1...100_000 { _ = store.reference(in: TestIdentity(line: 1), name: "a") }
    #expect(store.usedPaths == ["/nowhere/test.a.txt"])
  }
}

extension ReferenceStore {
  fileprivate func reference(in test: TestIdentity, name: String? = nil) -> Reference {
    reference(
      in: test, suites: { [] }, function: "test()",
      at: AssertionSite(fileID: "T/T.swift", filePath: "/T/T.swift", line: 1, column: 1), folder: "/nowhere",
      name: name, prefix: nil, pathExtension: "txt")
  }
}
