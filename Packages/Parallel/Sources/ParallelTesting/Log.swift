internal import Foundation

/// What happened, in the order in which it was noted, from any thread.
///
/// ```swift
/// let log = Log<Int>()
/// birds.onSuccess { log.append($0.count) }
/// clock.advance(by: .seconds(3))
/// #expect(log.all == [12])
/// ```
///
/// `@unchecked Sendable`: `lock` guards `entries`.
public final class Log<Entry: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var entries: [Entry] = []

  /// Creates a log in which nothing is noted.
  public init() {}

  /// Notes an entry, as the last.
  ///
  /// - Parameter entry: What happened.
  public func append(_ entry: Entry) { lock.withLock { entries.append(entry) } }

  /// All entries so far, the first noted first.
  public var all: [Entry] { lock.withLock { entries } }

  /// How many entries there are so far.
  public var count: Int { lock.withLock { entries.count } }
}
