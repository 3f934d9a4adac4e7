import Foundation
import Testing

// Not `@testable`, and no other module: what somebody who comes from the episodes has.
import SnapshotAssertions

/// A strategy as the episode builds it, before anything is asynchronous.
extension Snapshotting where Value == Bird, Format == String {
  fileprivate static let name = Snapshotting(diffing: .lines, pathExtension: "txt", snapshot: { $0.name })

  /// And after.
  fileprivate static let delayed = Snapshotting(
    diffing: .lines, pathExtension: "txt",
    snapshot: { bird in
      Async { callback in
        DispatchQueue.global().async { callback(bird.name) }
      }
    })

  /// In the spelling of the library that it became.
  fileprivate static let asynchronous = Snapshotting(
    pathExtension: "txt", diffing: .lines,
    asyncSnapshot: { bird in Async(run: { callback in callback(bird.name) }) })

  fileprivate static let pulledBack = Snapshotting<String, String>.lines.asyncPullback { (bird: Bird) in
    Async<String>(value: bird.name)
  }
}

private struct Bird: Sendable {
  var name = "Puffin"
}

/// A higher-order strategy as its article writes it, outside of the library.
extension Snapshotting {
  fileprivate static func warming(for duration: TimeInterval, on strategy: Snapshotting) -> Snapshotting {
    strategy.pullback { value in value }
  }
}

@Suite("The spellings of the episodes", .snapshots(record: .never))
struct EpisodeSpellingTests {
  @Test("init(diffing:pathExtension:snapshot:), at once and later; Async(run:) and Async(value:) are Parallel's")
  func strategies() async {
    for strategy in [Snapshotting.name, .delayed, .asynchronous, .pulledBack] {
      await expectInlineSnapshot(of: Bird(), as: strategy, timeout: 600) { "Puffin" }
    }
    #expect(Async<Int>.self == Parallel<Int>.self)
  }

  @Test("assertSnapshot(matching:as:), with every argument that assertSnapshot(of:as:) has")
  func matching() {
    withKnownIssue {
      assertSnapshot(matching: Bird(), as: .name)
      assertSnapshot(
        matching: Bird(), as: .warming(for: 1, on: .name), named: "named", record: .never, timeout: 1,
        testName: "other()")
    } matching: { issue in
      issue.comments.contains { $0.rawValue.hasPrefix("No reference was found on disk.") }
    }
  }

  @Test("static func waiting(for:on:) and wait(for:on:), with a leading dot")
  func waiting() async {
    await expectInlineSnapshot(of: Bird(), as: .waiting(for: 0, on: .name), timeout: 600) { "Puffin" }
    await expectInlineSnapshot(of: Bird(), as: .wait(for: 0, on: .delayed), timeout: 600) { "Puffin" }
  }
}
