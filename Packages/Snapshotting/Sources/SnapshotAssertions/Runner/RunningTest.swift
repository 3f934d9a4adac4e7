internal import Foundation
internal import SnapshotStore
internal import Testing
internal import XCTest

struct RunningTest {
  enum Runner { case swiftTesting, xcTest }

  enum Arguments: Equatable {
    case none
    /// The escaped arguments, different for each case.
    case known(String)
    /// The arguments cannot be read, so the cases cannot be distinguished.
    case unreadable

    var text: String {
      if case .known(let text) = self { text } else { "" }
    }
  }

  let runner: Runner
  let identity: TestIdentity
  let arguments: Arguments
  /// Returns the suites of the test, from the outermost.
  let suites: () -> [String]
  /// A regular expression with which `swift test --filter` runs only this test; `nil` if it is unknown.
  var filter: () -> String? = { nil }

  func checkNumbers(in function: String, of file: StaticString) throws(SnapshotError) {
    let isUnknown = runner == .swiftTesting && !identity.isKnown
    if isUnknown, ReferenceResolver.shared.isHelper(function, in: file.description) {
      throw SnapshotError(unknownTestMessage(function: function))
    }
    // In a detached task the case is unknown if the function has parameters.
    if arguments == .unreadable || (arguments == .none && isUnknown && function.contains(":")) {
      throw SnapshotError(unreadableArgumentsMessage(testName: function))
    }
  }
}

/// Detached tasks and other threads have no current test, so only the library of the process is known.
func currentTest() -> RunningTest {
  if let test = Test.current {
    let location = test.sourceLocation
    let (arguments, caseNumber) = arguments(of: Test.Case.current)
    return RunningTest(
      runner: .swiftTesting,
      identity: TestIdentity(
        line: location.line, column: location.column, arguments: arguments.text, caseNumber: caseNumber),
      arguments: arguments,
      suites: { suites(of: test) },
      filter: { filter(forID: "\(test.id)") })
  }
  guard !processRunsSwiftTesting else {
    return RunningTest(
      runner: .swiftTesting, identity: TestIdentity(), arguments: .none, suites: { [] })
  }
  let (name, type) = XCTestWatch.shared.current
  return RunningTest(
    runner: .xcTest, identity: TestIdentity(name: name), arguments: .none,
    suites: { parts(ofXCTest: name).map { [$0.suite] } ?? [] },
    filter: { parts(ofXCTest: name).flatMap { filter(forXCTest: $0.test, in: type) } })
}

/// The class and the method in a name of XCTest, `Class.test` on Linux and `-[Module.Class test]` on Apple's platforms.
func parts(ofXCTest name: String) -> (suite: String, test: String)? {
  let isBracketed = name.hasPrefix("-[") && name.hasSuffix("]")
  let plain = isBracketed ? name.dropFirst(2).dropLast() : name[...]
  guard let separator = plain.firstIndex(of: isBracketed ? " " : ".") else { return nil }
  let suite = plain[..<separator].split(separator: ".").last ?? ""
  return (String(suite), String(plain[plain.index(after: separator)...]))
}

/// The filter for a test's ID, `Module.Outer/Inner/function()/File.swift:8:6`; the last part is the place in the source.
func filter(forID id: String) -> String? {
  guard let slash = id.lastIndex(of: "/") else { return nil }
  return "^\(escapedForFilter(id[..<slash]))/"
}

/// The filter for a method of a class, whose name includes the module.
func filter(forXCTest method: String, in type: String) -> String? {
  // A filter cannot match the name of a private class.
  type.isEmpty || type.contains("(") ? nil : "^\(escapedForFilter(type))/\(escapedForFilter(method))$"
}

private func escapedForFilter(_ text: some StringProtocol) -> String {
  String(text.flatMap { "\\^$*+?.()[]{}|".contains($0) ? ["\\", $0] : [$0] })
}

/// On Linux each library's tests run in a separate process.
///
/// Its arguments name the library.
private let processRunsSwiftTesting: Bool = {
  let arguments = ProcessInfo.processInfo.arguments
  return zip(arguments, arguments.dropFirst()).contains { $0 == "--testing-library" && $1 == "swift-testing" }
}()

/// Uses reflection.
///
/// The last name in an ID is the function.
private func suites(of test: Test) -> [String] {
  let names = Mirror(reflecting: test.id).descendant("nameComponents") as? [String] ?? []
  return names.dropLast().map { $0.filter { $0 != "`" } }
}

/// Returns the arguments of a case, and its number among cases with equal texts.
///
/// Uses reflection.
private func arguments(of testCase: Test.Case?) -> (RunningTest.Arguments, Int) {
  guard let testCase, testCase.isParameterized else { return (.none, 0) }
  guard let kind = Mirror(reflecting: testCase).descendant("_kind"),
    let payload = Mirror(reflecting: kind).children.first?.value
  else { return (.unreadable, 0) }
  return readArguments(inCase: payload)
}

/// Tests also pass payloads of other versions of the library.
func readArguments(inCase payload: Any) -> (RunningTest.Arguments, Int) {
  let payload = Mirror(reflecting: payload)
  guard let arguments = payload.descendant("arguments") else { return (.unreadable, 0) }
  var texts: [String] = []
  for argument in Mirror(reflecting: arguments).children {
    guard let value = Mirror(reflecting: argument.value).descendant("value"), !isFunction(value),
      let text = (value as? String) ?? completeLine(of: value)
    else { return (.unreadable, 0) }
    texts.append(ReferenceNaming.escaped(text))
  }
  guard !texts.isEmpty else { return (.unreadable, 0) }
  let number = (payload.descendant("discriminator") as? Int) ?? 0
  // The library numbers equal arguments, and also all objects of one class.
  guard (payload.descendant("isStable") as? Bool) ?? true else { return (.known(texts.joined(separator: ",")), number) }
  return (.known(texts.joined(separator: ",") + (number == 0 ? "" : ",,\(number)")), 0)
}

/// Functions of one type have one text.
private func isFunction(_ value: Any) -> Bool {
  let mirror = Mirror(reflecting: value)
  return mirror.displayStyle == nil && mirror.children.isEmpty && "\(type(of: value))".contains(" -> ")
}

/// Observes which test XCTest runs.
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
  private var type = ""

  /// The class and the method, and the class with its module.
  ///
  /// Empty for the test that makes the first assertion.
  var current: (name: String, type: String) {
    lock.lock()
    defer { lock.unlock() }
    return (name, type)
  }

  func testCaseWillStart(_ testCase: XCTestCase) {
    lock.withLock { (name, type) = (testCase.name, String(reflecting: Swift.type(of: testCase))) }
    ReferenceResolver.shared.resetAllNumbers()
  }

  func testCaseDidFinish(_ testCase: XCTestCase) {
    lock.withLock { (name, type) = ("", "") }
    ReferenceResolver.shared.resetAllNumbers()
  }
}
