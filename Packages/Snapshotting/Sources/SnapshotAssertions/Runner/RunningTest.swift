internal import Foundation
internal import Testing
internal import XCTest

/// The test that an assertion belongs to, as far as the runner says.
struct RunningTest {
  /// Who runs the tests of this process.
  enum Runner { case swiftTesting, xcTest }

  /// What a parameterised test was called with.
  enum Arguments: Equatable {
    /// The test has no parameters, or nothing is known of it.
    case none
    /// The arguments, one form for each case.
    case known(String)
    /// There are some, and no way to tell the cases apart.
    case unreadable

    /// The arguments that are known; empty when there are none.
    var text: String {
      if case .known(let text) = self { text } else { "" }
    }
  }

  /// Tells tests apart that have functions of one name.
  struct Identity: Hashable {
    var line = 0
    var column = 0
    var name = ""
  }

  let runner: Runner
  let identity: Identity
  let arguments: Arguments
  /// The suites that the test is in, from the outermost; asked for only when a file needs them.
  let suites: () -> [String]
  let configuration: SnapshotTestingConfiguration?

  /// Whether XCTest runs it and has not said which it is, as in the test in which the first assertion is made.
  var isUnknownXCTest: Bool { runner == .xcTest && identity.name.isEmpty }

  /// Whether it is a test of Swift Testing, and nothing says which one: in a detached task, or on a thread of its own.
  var isUnknownSwiftTest: Bool { runner == .swiftTesting && identity.line == 0 }

  /// Whether its cases may not be told apart: also in a detached task, when the function has parameters.
  func hidesArguments(of function: String) -> Bool {
    switch arguments {
    case .unreadable: true
    case .known: false
    case .none: isUnknownSwiftTest && function.contains(":")
    }
  }
}

/// Whom to ask: the test library whose test this is, or else the one that this process runs.
///
/// A detached task and a thread of its own have no current test, but still belong to a process.
func currentTest() -> RunningTest {
  if let test = Test.current {
    let location = test.sourceLocation
    return RunningTest(
      runner: .swiftTesting,
      identity: RunningTest.Identity(line: location.line, column: location.column),
      arguments: arguments(of: Test.Case.current),
      suites: { suites(in: "\(test.id)") },
      configuration: configuration(of: test))
  }
  guard !processRunsSwiftTesting else {
    return RunningTest(
      runner: .swiftTesting, identity: RunningTest.Identity(), arguments: .none, suites: { [] }, configuration: nil)
  }
  let name = XCTestWatch.shared.currentName
  return RunningTest(
    runner: .xcTest, identity: RunningTest.Identity(name: name), arguments: .none,
    suites: { name.isEmpty ? [] : [String(name.prefix { $0 != "." })] }, configuration: nil)
}

/// On Linux each library's tests run in a process of their own, which says so in its arguments.
private let processRunsSwiftTesting: Bool = {
  let arguments = ProcessInfo.processInfo.arguments
  return zip(arguments, arguments.dropFirst()).contains { $0 == "--testing-library" && $1 == "swift-testing" }
}()

/// What the traits of a test and of the suites around it say, the nearest first; a detached helper has only these.
private func configuration(of test: Test) -> SnapshotTestingConfiguration? {
  guard !test.traits.isEmpty else { return nil }
  return test.traits.reversed().reduce(nil) { configuration, trait in
    guard let trait = trait as? SnapshotsTrait else { return configuration }
    return configuration?.inheriting(from: trait.configuration) ?? trait.configuration
  }
}

/// The suites' names in a test's ID, `Module.Outer/Inner/function()/File.swift:8:6`, without quotes.
func suites(in id: String) -> [String] {
  var parts: [String] = []
  var part = ""
  var isQuoted = false
  for character in id {
    if character == "`" { isQuoted.toggle() }
    if character == "/" && !isQuoted {
      parts.append(part)
      part = ""
    } else {
      part.append(character)
    }
  }
  // The last two are the function and its place; the first one begins with the module.
  guard let first = parts.first, let dot = first.firstIndex(of: "."), parts.count >= 2 else { return [] }
  let names = [String(first[first.index(after: dot)...])] + parts[1..<(parts.count - 1)]
  return names.map { $0.filter { $0 != "`" } }
}

/// The arguments of a case, from what reflection shows of it.
private func arguments(of testCase: Test.Case?) -> RunningTest.Arguments {
  guard let testCase, testCase.isParameterized else { return .none }
  guard let kind = Mirror(reflecting: testCase).descendant("_kind"),
    let payload = Mirror(reflecting: kind).children.first?.value
  else { return .unreadable }
  return readArguments(inCase: payload)
}

/// The arguments in what a case carries; also for tests of what happens when that changes.
func readArguments(inCase payload: Any) -> RunningTest.Arguments {
  let payload = Mirror(reflecting: payload)
  guard let arguments = payload.descendant("arguments") else { return .unreadable }
  var texts: [String] = []
  for argument in Mirror(reflecting: arguments).children {
    guard let value = Mirror(reflecting: argument.value).descendant("value") else { return .unreadable }
    texts.append(ReferenceNaming.escaped(argumentText(value)))
  }
  guard !texts.isEmpty else { return .unreadable }
  // Cases with equal arguments are numbered by the library.
  let number = (payload.descendant("discriminator") as? Int) ?? 0
  return .known(texts.joined(separator: ",") + (number == 0 ? "" : ",,\(number)"))
}

/// A string as it is, and anything else as people read it, which is in the same order each time.
private func argumentText(_ value: Any) -> String {
  (value as? String) ?? readableText(of: value)
}

/// Knows which test XCTest is running.
///
/// `@unchecked Sendable`: the name is read and written only while `lock` is held.
private final class XCTestWatch: NSObject, XCTestObservation, @unchecked Sendable {
  static let shared: XCTestWatch = {
    let watch = XCTestWatch()
    XCTestObservationCenter.shared.addTestObserver(watch)
    return watch
  }()

  private let lock = NSLock()
  private var name = ""

  /// The class and the method; empty for the test in which the first assertion is made.
  var currentName: String {
    lock.lock()
    defer { lock.unlock() }
    return name
  }

  func testCaseWillStart(_ testCase: XCTestCase) {
    lock.withLock { name = testCase.name }
    ReferenceRegistry.shared.forgetAllCounters()
  }

  func testCaseDidFinish(_ testCase: XCTestCase) {
    lock.withLock { name = "" }
    ReferenceRegistry.shared.forgetAllCounters()
  }
}
