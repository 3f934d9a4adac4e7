// Scripts/check-suites runs these tests in a copy, which they rewrite. No target contains this file.

import SnapshotAssertions
import Testing
import XCTest

// XCTest runs first, in a separate process. Its recorded snapshot moves the lines below.
final class OlderInline: XCTestCase {
  func testNew() {
    assertInlineSnapshot(
      of: [1],
      as: .dump
    )
  }
}

@Suite struct Inline {
  @Test func new() {
    assertInlineSnapshot(of: ["\\(a)", "\"\"\""].joined(separator: "\n"), as: .lines)  // ) a comment
  }
  @Test func old() {
    assertInlineSnapshot(of: 2, as: .readable, record: .failed) { "1" }
  }
  @MainActor @Test func awaited() async { await expectInlineSnapshot(of: "a", as: .onMainActor) }
}
