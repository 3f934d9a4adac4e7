// Run by Scripts/check-runners as somebody's tests, which rewrites its copy; not part of any target here.

import SnapshotAssertions
import Testing
import XCTest

// The tests of this library run first, in a process of their own: what it writes here moves the places below.
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
