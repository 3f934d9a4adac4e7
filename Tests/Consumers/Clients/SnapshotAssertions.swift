// A client of `SnapshotAssertions`: assertions in both test libraries, and a strategy in the older style.

import Foundation
import SnapshotAssertions
import Testing
import XCTest

@MainActor
final class Screen {
  var title = ""
}

@Suite(.snapshots(record: .missing)) struct ScreenTests {
  @MainActor @Test func title() async {
    let screen = Screen()
    assertSnapshot(of: screen, as: SimplySnapshotting.lines.pullback { $0.title })
    await expectSnapshot(of: screen, as: SimplySnapshotting.lines.pullback { $0.title }, named: "later", timeout: 2)
  }

  @MainActor @Test func inline() async {
    await expectInlineSnapshot(of: Screen(), as: SimplySnapshotting.lines.pullback { $0.title }, timeout: 2) { "" }
    assertInlineSnapshot(of: 1, as: .description) { "1" }
  }

  @Test func several() {
    assertSnapshots(of: 1, as: ["dump": .dump, "readable": .readable])
    withSnapshotTesting(record: .never, diffTool: .ksdiff) { assertSnapshot(matching: [1, 2], as: .dump) }
  }
}

final class OlderTests: XCTestCase {
  func testDelayed() {
    let delayed = Snapshotting<Int, String>(pathExtension: "txt", diffing: .lines) { value in
      Async { callback in callback("\(value)") }
    }
    let older = Snapshotting<Int, String>(
      pathExtension: "txt", diffing: .lines,
      asyncSnapshot: { value in Async(run: { callback in callback("\(value)") }) })
    assertSnapshot(of: 1, as: delayed, record: false)
    assertSnapshot(matching: 1, as: .waiting(for: 0, on: older), record: false)
    if let failure = verifySnapshot(of: 1, as: .dump, snapshotDirectory: "/tmp") { XCTFail(failure) }
  }
}
