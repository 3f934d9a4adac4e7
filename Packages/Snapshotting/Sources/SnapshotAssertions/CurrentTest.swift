internal import Foundation
internal import SnapshotStore
internal import Snapshotting
internal import Testing
internal import XCTest

/// The test that runs the current task, as far as the runner reports it.
///
/// Detached tasks, other threads and XCTest have no current test.
struct CurrentTest: Sendable {
  enum Runner { case swiftTesting, xcTest }

  enum Arguments: Equatable {
    case none
    /// The descriptions of the arguments.
    case known([String])
    /// The arguments cannot be read, so the cases cannot be distinguished.
    case unreadable
  }

  var runner = Runner.swiftTesting
  /// The test with its module and its suites, `Module.Outer/Inner/function()`; `nil` if it is unknown.
  var id: String?
  var arguments = Arguments.none

  /// Returns the test; `Module.File/function()` if it is unknown.
  func id(of function: String, at site: AssertionSite) -> String {
    id ?? "\(site.fileID.description.split(separator: "/").first ?? "").\(suites(at: site)[0])/\(function)"
  }

  /// Returns the key of the numbers of unnamed assertions.
  func numberingKey(_ id: String) -> String { "\(id) \(argumentTexts ?? [])" }

  /// Returns the suites, from the outermost; the name of the file if they are unknown.
  func suites(at site: AssertionSite) -> [String] {
    guard let id else { return [ReferenceNames.baseName(of: site.filePath.description)] }
    var isQuoted = false
    let names = id.split { character in
      if character == "`" { isQuoted.toggle() }
      return character == "/" && !isQuoted
    }.dropLast()
    guard let first = names.first, let dot = first.firstIndex(of: ".") else { return [] }
    return ([first[first.index(after: dot)...]] + names.dropFirst()).map { $0.filter { $0 != "`" } }
  }

  var argumentTexts: [String]? {
    if case .known(let texts) = arguments { texts } else { nil }
  }

  /// Returns the descriptions of the arguments for the name of a reference; `nil` if the test has none.
  ///
  /// - Throws: ``SnapshotError`` if the case is unknown, so that the cases of a test would share one file.
  func arguments(in function: String) throws(SnapshotError) -> [String]? {
    let isDetached = runner == .swiftTesting && id == nil && function.contains(":")
    guard arguments == .unreadable || isDetached else { return argumentTexts }
    let (reason, advice) =
      isDetached
      ? ("are unknown in a detached task or on another thread", "Use the test's task or a child task, or give this")
      : ("cannot be read", "Give this")
    throw SnapshotError(
      """
      Cannot choose a reference: the arguments of "\(function)" \(reason), so its cases would share one file. \
      \(advice) assertion a different name in each case with `named:`.
      """)
  }
}

extension CurrentTest {
  static var running: CurrentTest {
    if let test = Test.current {
      // The last part of an ID is the place in the source: `Module.Suite/function()/File.swift:8:6`.
      let id = "\(test.id)"
      return CurrentTest(
        id: id.lastIndex(of: "/").map { String(id[..<$0]) } ?? id, arguments: Arguments(of: Test.Case.current))
    }
    if processRunsSwiftTesting { return CurrentTest() }
    _ = XCTestWatch.shared
    return CurrentTest(runner: .xcTest)
  }

  /// On Linux each library's tests run in a separate process, whose arguments name the library.
  private static let processRunsSwiftTesting: Bool = {
    let arguments = ProcessInfo.processInfo.arguments
    return zip(arguments, arguments.dropFirst()).contains { $0 == "--testing-library" && $1 == "swift-testing" }
  }()
}

extension CurrentTest.Arguments {
  /// Reads the arguments of a case by reflection: Swift Testing has no public property for them.
  init(of testCase: Test.Case?) {
    guard let testCase, testCase.isParameterized else {
      self = .none
      return
    }
    let payload = Mirror(reflecting: testCase).descendant("_kind").flatMap {
      Mirror(reflecting: $0).children.first?.value
    }
    self.init(inCase: payload ?? ())
  }

  init(inCase payload: Any) {
    let arguments = Mirror(reflecting: payload).descendant("arguments").map {
      Mirror(reflecting: $0).children.map(\.value)
    }
    let texts = (arguments ?? []).map { Mirror(reflecting: $0).descendant("value").flatMap(Self.text) }
    self = texts.isEmpty || texts.contains(nil) ? .unreadable : .known(texts.compactMap(\.self))
  }

  /// Functions of one type have one text.
  private static func text(of value: Any) -> String? {
    let mirror = Mirror(reflecting: value)
    let isFunction = mirror.displayStyle == nil && mirror.children.isEmpty && "\(type(of: value))".contains(" -> ")
    return isFunction ? nil : value as? String ?? completeLine(of: value)
  }
}

/// Starts the numbers of unnamed assertions at 1 again when a test of XCTest ends.
private final class XCTestWatch: NSObject, XCTestObservation, Sendable {
  static let shared: XCTestWatch = {
    let watch = XCTestWatch()
    XCTestObservationCenter.shared.addTestObserver(watch)
    return watch
  }()

  func testCaseDidFinish(_ testCase: XCTestCase) { TestProcess.shared.resetNumbers() }
}
