import Foundation
import TestSupport
import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

@Suite("The files of assertions")
struct IdentityTests {
  private let snapshots = SnapshotFolder()

  @Test("unnamed assertions are numbered from 1 in each test")
  func counters() {
    for _ in 1...2 { _ = snapshots.failure(of: "a", testName: "one()", in: .made(line: 1)) }
    _ = snapshots.failure(of: "a", testName: "two()", in: .made(line: 2))
    #expect(snapshots.files == ["one.1.txt", "one.2.txt", "two.1.txt"])
  }

  @Test("the numbers of a test that runs again start at 1")
  func again() {
    let test = RunningTest.made(line: 77)
    _ = snapshots.failure(of: "a", in: test, line: 5)
    ReferenceResolver.shared.resetNumbers(of: test.identity)
    #expect(snapshots.failure(of: "a", in: test, line: 5) == nil)
    #expect(snapshots.files == ["test.1.txt"])
  }

  @Test("unnamed assertions in the cases of a parameterised test have the arguments in the file name")
  func parameterised() {
    for argument in ["puffin", "a b"] {
      let arguments = RunningTest.Arguments.known(ReferenceNaming.escaped(argument))
      _ = snapshots.failure(
        of: argument, testName: "bird(_:)", in: .made(arguments: arguments, suites: ["Birds"]), line: 3)
    }
    #expect(snapshots.files == ["bird-_@a~20b.1.txt", "bird-_@puffin.1.txt"])
  }

  @Test("if the arguments of a case are unreadable, an unnamed assertion fails and recommends a name")
  func unreadable() {
    let test = RunningTest.made(arguments: .unreadable)
    #expect(snapshots.failure(of: "a", in: test)?.contains("named:") == true)
    #expect(snapshots.files.isEmpty)
    #expect(snapshots.failure(of: "a", named: "x", in: test)?.contains("Automatically recorded") == true)
  }

  @Test(
    "different names have different files, also if they have one plain form",
    arguments: [
      ["a/b", "a b", "a-b"], ["a-b", "a/b", "a b"], ["😀", "..", ""],
    ])
  func lossyNames(names: [String]) {
    for _ in 1...2 {
      for (line, name) in names.enumerated() {
        _ = snapshots.failure(of: "content of \(name)", named: name, line: UInt(line))
      }
    }
    #expect(snapshots.files.count == 3)
    for (line, name) in names.enumerated() {
      #expect(snapshots.failure(of: "content of \(name)", named: name, record: .never, line: UInt(line)) == nil)
      #expect(snapshots.failure(of: "other", named: name, record: .never, line: UInt(line)) != nil)
    }
  }

  @Test("an existing file with the plain form of a name is used")
  func oldFile() throws {
    try snapshots.write("old", to: "test.a-b.txt")
    #expect(snapshots.failure(of: "old", named: "a b") == nil)
    #expect(snapshots.files == ["test.a-b.txt"])
  }

  @Test("functions with one name in two suites have separate files")
  func suites() throws {
    let (owls, puffins) = (
      RunningTest.made(line: 10, suites: ["Owls"]), RunningTest.made(line: 20, suites: ["Puffins"])
    )
    _ = snapshots.failure(of: "owl", in: owls, line: 11)
    _ = snapshots.failure(of: "puffin", in: puffins, line: 21)
    #expect(snapshots.files == ["test.1.txt", "test@Puffins.1.txt"])
    for test in [owls, puffins] { ReferenceResolver.shared.resetNumbers(of: test.identity) }
    #expect(snapshots.failure(of: "owl", record: .never, in: owls, line: 11) == nil)
    #expect(snapshots.failure(of: "puffin", record: .never, in: puffins, line: 21) == nil)
  }

  @Test("functions with one name and different parameters have separate files, or fail with both places")
  func overloads() throws {
    let numbers = RunningTest.made(line: 10, arguments: .known("1"), suites: ["Birds"])
    let texts = ["1", "a"].map { RunningTest.made(line: 20, arguments: .known($0), suites: ["Birds"]) }
    _ = snapshots.failure(of: "number", testName: "bird(_:)", in: numbers, line: 11)
    _ = snapshots.failure(of: "text", testName: "bird(_:)", in: texts[1], line: 21)
    #expect(snapshots.files == ["bird-_@1.1.txt", "bird-_@a.1.txt"])
    let failure = try #require(
      snapshots.failure(of: "text", record: .all, testName: "bird(_:)", in: texts[0], line: 21))
    #expect(failure.contains("for two assertions") && failure.contains("T/T.swift:11") && failure.contains(":21"))
    #expect(snapshots.text(of: "bird-_@1.1.txt") == "number")
  }

  @Test("tests that share a file and match it pass, with one warning")
  func sharedOldFile() throws {
    try snapshots.write("same", to: "test.1.txt")
    let suites = ["A", "B", "C"].enumerated().map { RunningTest.made(line: 30 + $0, suites: [$1]) }
    let outcomes = suites.map { snapshots.outcome(of: "same", as: .lines, in: $0, line: UInt($0.identity.line)) }
    #expect(outcomes.allSatisfy { $0.failure == nil })
    #expect(outcomes.map(\.warnings.count) == [0, 1, 0])
    #expect(outcomes[1].warnings[0].contains("T/T.swift:30") && outcomes[1].warnings[0].contains("T/T.swift:31"))
    #expect(snapshots.files == ["test.1.txt"])
  }

  @Test("two assertions with one name and different snapshots fail, with both places")
  func conflict() throws {
    _ = snapshots.failure(of: "one", named: "a", line: 41)
    let failure = try #require(snapshots.failure(of: "two", named: "a", line: 42))
    #expect(failure.contains("T/T.swift:41") && failure.contains("T/T.swift:42") && failure.contains("named:"))
    #expect(failure.contains("\u{2212}one") && failure.contains("+two"))
    #expect(snapshots.text(of: "test.a.txt") == "one")
    #expect(snapshots.failure(of: "two", named: "a", record: .all, line: 42) == failure)
    #expect(snapshots.failure(of: "one", named: "a", line: 41) == nil)
  }

  @Test("two assertions with one name in a suite fail, although the suite could be in the file name")
  func conflictInSuite() {
    let test = RunningTest.made(line: 50, suites: ["Birds"])
    _ = snapshots.failure(of: "one", named: "a", in: test, line: 51)
    #expect(snapshots.failure(of: "two", named: "a", in: test, line: 52)?.contains("for two assertions") == true)
    #expect(snapshots.files == ["test.a.txt"])
  }

  @Test("the arguments of the running case are read", arguments: [1, 2], ["a b", ""])
  func realArguments(number: Int, text: String) {
    #expect(currentTest().arguments == .known("\(number),\(text.isEmpty ? "~" : "a~20b")"))
  }

  enum Bird: Sendable { case owl(legs: Int) }

  @Test("arguments of custom types are read", arguments: [Bird.owl(legs: 2)])
  func ownArguments(bird: Bird) {
    #expect(currentTest().arguments == .known(ReferenceNaming.escaped(".owl(legs: 2)")))
    #expect(currentTest().suites() == ["IdentityTests"])
  }

  @Test("equal arguments are numbered", arguments: ["x", "x"])
  func equalArguments(text: String) {
    #expect([.known("x"), .known("x,,1")].contains(currentTest().arguments))
  }

  @Test(
    "functions as arguments are unreadable",
    arguments: [{ 1 }, { 2 }, { 3 }] as [@Sendable () -> Int])
  func functions(function: @Sendable () -> Int) {
    #expect(currentTest().arguments == .unreadable)
  }

  @Test("an argument whose text does not show its data is unreadable")
  func hiddenArguments() {
    #expect(readArguments(inCase: (arguments: [(value: DateFormatter(), id: 0)], discriminator: 0)) == (.unreadable, 0))
  }

  @Test("arguments are unreadable if the test library stores them in an unknown form")
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

  @Test("cases with objects of equal contents share a file while their snapshots are equal")
  func equalObjects() throws {
    let cases = (0...1).map { RunningTest.made(line: 65, arguments: .known("Nest"), caseNumber: $0) }
    for test in cases { _ = snapshots.failure(of: "same", in: test, line: 66) }
    #expect(snapshots.files == ["test@Nest.1.txt"])
    ReferenceResolver.shared.resetNumbers(of: cases[1].identity)
    let failure = try #require(snapshots.failure(of: "other", in: cases[1], line: 66))
    #expect(failure.hasPrefix("Cannot use one reference for two cases of a test"))
  }

  @Test("the two Unicode forms of a letter are two names")
  func normalForms() {
    let names = ["caf\u{E9}", "cafe\u{301}"]
    for _ in 1...2 {
      for (line, name) in names.enumerated() { _ = snapshots.failure(of: "\(line)", named: name, line: UInt(line)) }
    }
    #expect(snapshots.files.count == 2)
    for (line, name) in names.enumerated() {
      #expect(snapshots.failure(of: "\(line)", named: name, record: .never, line: UInt(line)) == nil)
    }
    #expect(snapshots.text(of: "test.caf\u{E9}.txt") == "0")
  }

  @Test("the names of XCTest are read in the form of every platform")
  func namesOfXCTest() throws {
    for (name, suite) in [("Birds.testA", "Birds"), ("-[Module.Birds testA]", "Birds"), ("-[Birds testA]", "Birds")] {
      let found = try #require(parts(ofXCTest: name))
      #expect(found.suite == suite && found.test == "testA")
    }
    #expect(parts(ofXCTest: "") == nil)
  }

  @Suite struct `Inner / Suite` {
    @Test("the suites of a test are known", arguments: [1])
    func names(_ number: Int) {
      #expect(currentTest().suites() == ["IdentityTests", "Inner / Suite"])
    }
  }

  @Test("cases with one name share a file while their snapshots are equal, and fail otherwise")
  func namedCases() throws {
    let cases = ["1", "2", "3"].map { RunningTest.made(line: 60, arguments: .known($0), suites: ["Birds"]) }
    for test in cases { _ = snapshots.failure(of: "same", named: "a", in: test, line: 61) }
    let outcomes = cases.map { snapshots.outcome(of: "same", as: .lines, named: "a", in: $0, line: 61) }
    #expect(outcomes.allSatisfy { $0.failure == nil && $0.warnings.isEmpty })
    #expect(snapshots.files == ["test.a.txt"])
    for record in [SnapshotTestingConfiguration.Record.missing, .failed, .all] {
      let failure = try #require(snapshots.failure(of: "other", named: "a", record: record, in: cases[1], line: 61))
      #expect(failure.contains("the cases (1) and (2)") && failure.contains("named:"))
    }
    #expect(snapshots.text(of: "test.a.txt") == "same" && snapshots.files == ["test.a.txt"])
    let again = SnapshotFolder()
    let failures = cases.map { again.failure(of: "same", named: "a", record: .all, in: $0, line: 61) }
    #expect(failures.map { $0 == nil } == [false, true, true])
  }

  @Test(
    "tests share the file of a helper that passes its own name, and fail if their snapshots differ"
  )
  func helper() throws {
    let tests = (91...93).map { RunningTest.made(line: $0, suites: ["Birds"]) }
    let first = tests.map { snapshots.failure(of: "same", testName: "check(_:)", in: $0, line: 90) }
    #expect(first.map { $0 == nil } == [false, true, true])
    let failure = try #require(
      snapshots.failure(of: "other", testName: "check(_:)", in: .made(line: 94, suites: ["Birds"]), line: 90))
    #expect(failure.hasPrefix("Cannot use one reference for two tests: both run the assertion at T/T.swift:90"))
    #expect(snapshots.files == ["check-_.1.txt"])
  }

  @Test("of many concurrent tests with one assertion, one records and the others pass")
  func atOnce() async {
    let failures = await withTaskGroup { group in
      for line in 101...132 {
        group.addTask {
          snapshots.failure(of: "same", testName: "init()", in: .made(line: line, suites: ["Birds"]), line: 100)
        }
      }
      return await group.reduce(into: [String]()) { if let failure = $1 { $0.append(failure) } }
    }
    #expect(failures.count == 1 && failures.first?.contains("Automatically recorded") == true, "\(failures)")
    #expect(snapshots.files == ["init.1.txt"])
  }

  @Test("an assertion that runs again with a different snapshot does not replace the recorded one")
  func repeated() throws {
    for record in [SnapshotTestingConfiguration.Record.missing, .failed, .all] {
      let snapshots = SnapshotFolder()
      _ = snapshots.failure(of: "one", named: "a", record: record, line: 70)
      let failure = try #require(snapshots.failure(of: "two", named: "a", record: record, line: 70))
      #expect(failure.hasPrefix("Cannot use one reference for different snapshots"))
      #expect(snapshots.text(of: "test.a.txt") == "one")
    }
  }

  @Test("a message names the columns of two places on one line")
  func placesOnOneLine() {
    let sites = [1, 30].map { AssertionSite(fileID: "T/T.swift", filePath: "/T/T.swift", line: 7, column: $0) }
    let message = conflictMessage(shownPath: "x", first: sites[0], second: sites[1])
    #expect(message.contains("T/T.swift:7:1 and T/T.swift:7:30"))
  }

  @Test("an unnamed assertion of a helper in a detached task fails and recommends a name")
  func detachedHelper() {
    let test = RunningTest.made(line: 0)
    func failure(of name: String?, in function: String) -> String? {
      snapshots.outcome(of: "a", as: .lines, named: name, testName: function, in: test, file: #filePath).failure
    }
    for function in ["check()", "check(_:)"] {
      #expect(failure(of: nil, in: function)?.contains("\"\(function)\" is not a test") == true)
    }
    #expect(snapshots.files.isEmpty)
    #expect(failure(of: "x", in: "check()")?.contains("Automatically recorded") == true)
    #expect(failure(of: nil, in: "detachedHelper()")?.contains("Automatically recorded") == true)
  }

  @Test("an unnamed assertion in a detached task of a parameterised test fails and recommends a name")
  func detachedCase() {
    let test = RunningTest.made(line: 0)
    #expect(snapshots.failure(of: "a", testName: "bird(_:)", in: test)?.contains("`named:") == true)
    #expect(snapshots.failure(of: "a", testName: "bird()", in: test)?.contains("Automatically recorded") == true)
    #expect(snapshots.failure(of: "a", named: "x", testName: "bird(_:)", in: test)?.contains("recorded") == true)
    let older = RunningTest.made(runner: .xcTest, line: 0)
    #expect(snapshots.failure(of: "a", testName: "helper(_:)", in: older)?.contains("Automatically recorded") == true)
    #expect(snapshots.files == ["bird-_.x.txt", "bird.1.txt", "helper-_.1.txt"])
  }

  @Test("one name with two path extensions has two files")
  func pathExtensions() {
    let other = Snapshotting<String, String>(pathExtension: "md", diffing: .lines)
    for _ in 1...2 {
      _ = snapshots.outcome(of: "a", as: .lines, named: "a", line: 80)
      _ = snapshots.outcome(of: "b", as: other, named: "a", line: 81)
    }
    #expect(snapshots.files == ["test.a.md", "test.a.txt"])
    #expect(snapshots.outcome(of: "b", as: other, named: "a", record: .never, line: 81).failure == nil)
  }
}
