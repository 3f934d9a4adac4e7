// Run by Scripts/check-runners as somebody's tests, which rewrites its copy; not part of any target here.

import SnapshotAssertions
import Testing
import XCTest

@Suite struct Inline {
  @Test func new() {
    assertInlineSnapshot(of: ["\\(a)", "\"\"\""].joined(separator: "\n"), as: .lines)  // ) a comment
  }
  @Test func old() {
    assertInlineSnapshot(of: 2, as: .readable, record: .failed) { "1" }
  }
}

final class OlderInline: XCTestCase {
  func testNew() {
    assertInlineSnapshot(
      of: [1],
      as: .dump
    )
  }
}
