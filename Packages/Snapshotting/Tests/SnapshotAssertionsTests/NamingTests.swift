import Testing

@testable import SnapshotAssertions

@Suite("The names of reference files")
struct NamingTests {
  @Test(
    "are those of swift-snapshot-testing",
    arguments: [
      ("testFoo()", "testFoo"), ("foo(x:y:)", "foo-x-y"), ("a/b", "a-b"), ("a b", "a-b"), ("a-b", "a-b"),
      ("--a--", "a"),
      ("..", ""), ("", ""), ("😀", ""), ("é_1", "é_1"), ("e\u{301}", "e\u{301}"),
    ])
  func sanitized(name: String, file: String) {
    #expect(ReferenceNaming.sanitized(name).utf8.elementsEqual(file.utf8))
  }
}
