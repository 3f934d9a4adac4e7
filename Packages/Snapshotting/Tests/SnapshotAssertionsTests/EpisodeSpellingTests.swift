import Foundation
import Testing

// Not `@testable`, and without further modules: the interface that a reader of the episodes uses.
import SnapshotAssertions

/// A synchronous strategy in the spelling of the episode.
extension Snapshotting where Value == Bird, Format == String {
  fileprivate static let name = Snapshotting(diffing: .lines, pathExtension: "txt", snapshot: { $0.name })

  /// An asynchronous strategy in the spelling of the episode.
  fileprivate static let delayed = Snapshotting(
    diffing: .lines, pathExtension: "txt",
    snapshot: { bird in
      Async { callback in
        DispatchQueue.global().async { callback(bird.name) }
      }
    })

  /// A strategy in the spelling of swift-snapshot-testing.
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

/// A higher-order strategy in the spelling of the article.
extension Snapshotting {
  fileprivate static func warming(for duration: TimeInterval, on strategy: Snapshotting) -> Snapshotting {
    strategy.pullback { value in value }
  }
}

@Suite("The spellings of the episodes", .snapshots(record: .never))
struct EpisodeSpellingTests {
  @Test("init(diffing:pathExtension:snapshot:) and Async have the spelling of the episode")
  func strategies() async {
    for strategy in [Snapshotting.name, .delayed, .asynchronous, .pulledBack] {
      await expectInlineSnapshot(of: Bird(), as: strategy, timeout: 600) { "Puffin" }
    }
    #expect(Async<Int>.self == Parallel<Int>.self)
  }

  @Test("assertSnapshot(matching:as:) has the arguments of assertSnapshot(of:as:)")
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

  @Test("waiting(for:on:) and wait(for:on:) can be used with a leading dot")
  func waiting() async {
    await expectInlineSnapshot(of: Bird(), as: .waiting(for: 0, on: .name), timeout: 600) { "Puffin" }
    await expectInlineSnapshot(of: Bird(), as: .wait(for: 0, on: .delayed), timeout: 600) { "Puffin" }
  }
}
