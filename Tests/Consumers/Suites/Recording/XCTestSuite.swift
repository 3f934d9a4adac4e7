// Scripts/check-suites runs these tests. No target contains this file.

import Dispatch
import Foundation
import SnapshotAssertions
import XCTest

private let bird = ProcessInfo.processInfo.environment["BIRD"] ?? "puffin"

final class OlderTests: XCTestCase {
  func testLines() {
    assertSnapshot(matching: bird, as: .lines)
    assertSnapshot(of: bird, as: .dump)
    assertSnapshot(of: bird, as: .description, named: "described")
  }
  func testOnMainActor() { assertSnapshot(of: bird, as: .onMainActor) }
  func testOnQueue() { assertSnapshot(of: bird, as: .onQueue) }
  func testAwaited() async { await expectSnapshot(of: bird, as: .onQueue) }
  @MainActor func testAwaitedOnMainActor() async { await expectSnapshot(of: bird, as: .onMainActor) }
  func testThread() {
    let done = expectation(description: "done")
    Thread.detachNewThread {
      assertSnapshot(of: bird, as: .lines)
      done.fulfill()
    }
    wait(for: [done], timeout: 10)
  }
}

final class OtherTests: XCTestCase {
  func testLines() { assertSnapshot(of: "other", as: .lines, named: "other") }
}
