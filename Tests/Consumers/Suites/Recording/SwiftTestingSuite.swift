// Scripts/check-suites runs these tests. No target contains this file.

import Dispatch
import Foundation
import SnapshotAssertions
import Testing

private let bird = ProcessInfo.processInfo.environment["BIRD"] ?? "puffin"

extension Snapshotting where Value == String, Format == String {
  static let onMainActor = SimplySnapshotting.lines.asyncPullback { (text: String) in
    Parallel<String> { await MainActor.run { text } }
  }
  static let onQueue = SimplySnapshotting.lines.asyncPullback { (text: String) in
    Parallel<String> { callback in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(10)) { callback(text) }
    }
  }
}

@MainActor final class Screen {
  var title = bird
}

@Suite struct Owls {
  @Test func name() { assertSnapshot(of: "owl", as: .lines, named: "owl") }
}

@Suite struct Puffins {
  @Test func name() { assertSnapshot(of: bird, as: .lines, named: "puffin") }
  @Test(arguments: ["a b", "a.b", "/b"], [-1, 2]) func cases(text: String, number: Int) {
    assertSnapshot(of: "\(text) \(number)", as: .lines)
  }
  @MainActor @Test func mainActor() async {
    assertSnapshot(of: Screen(), as: SimplySnapshotting.lines.pullback { $0.title })
    await expectSnapshot(of: bird, as: .onMainActor)
  }
  @Test(arguments: 0..<8) func atOnce(number: Int) async { await expectSnapshot(of: "\(number)", as: .onQueue) }
  @Test func detached() async {
    await Task.detached { assertSnapshot(of: bird, as: .lines) }.value
  }
  @Test func thread() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        assertSnapshot(of: bird, as: .lines)
        continuation.resume()
      }
    }
  }
  @Test func requirement() { assertSnapshots(of: bird, as: ["dump": .dump, "readable": .readable]) }
}

@Suite(.snapshots(record: .never)) struct Strict {
  @Test(.enabled(if: bird == "owl")) func neverRecorded() { assertSnapshot(of: "x", as: .lines) }
}

@Test(.enabled(if: bird == "owl"), arguments: [1, 2]) func detachedCase(number: Int) async {
  await Task.detached { assertSnapshot(of: number, as: .readable) }.value
}

@Test(.enabled(if: bird == "owl")) @MainActor func blocked() { assertSnapshot(of: "x", as: .onMainActor) }
