import Testing

@testable import SnapshotStore

@Suite("The tests that a source declares")
struct TestDeclarationTests {
  private func tests(in source: String) -> [TestDeclaration] {
    TestDeclarations(source: Array(source.utf8)).all
  }

  @Test("tests are found with their suites, labels and lines")
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

  @Test("an unreadable source declares no tests")
  func unreadable() {
    #expect(
      InlineSources.shared.compiledSource(of: "/nowhere.swift") == nil && TestDeclarations(source: []).all.isEmpty)
    #expect(tests(in: "@Test func a() { \"").isEmpty)
    #expect(tests(in: "@Test func a(").isEmpty && tests(in: "func").isEmpty && tests(in: "@Test func a() {").isEmpty)
  }
}
