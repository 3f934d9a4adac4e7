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
/// Where it is another thread that notes, ``first(_:)`` waits for as many entries as the test needs.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
public final class Log<Entry: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var entries: [Entry] = []
  private var waits: [(count: Int, end: AsyncStream<Never>.Continuation)] = []

  /// Creates a log in which nothing is noted.
  public init() {}

  /// Notes an entry, as the last.
  ///
  /// - Parameter entry: What happened.
  public func append(_ entry: Entry) {
    let ended = lock.withLock {
      entries.append(entry)
      defer { waits.removeAll { $0.count <= entries.count } }
      return waits.filter { $0.count <= entries.count }
    }
    for wait in ended { wait.end.finish() }
  }

  /// Waits until so many entries are noted, and answers those.
  ///
  /// Returns at once when there are enough, so it does not matter whether the code under test or the test gets there first.
  ///
  /// ```swift
  /// let log = Log<Int>()
  /// birds.onSuccess { log.append($0.count) }
  /// #expect(await log.first(1) == [12])
  /// ```
  ///
  /// - Parameter count: How many; zero or less returns at once.
  /// - Returns: The first entries, the first noted first: `count` of them, or those that there are when the waiting task is
  ///   cancelled.
  @discardableResult
  public func first(_ count: Int) async -> [Entry] {
    let (stream, end) = AsyncStream.makeStream(of: Never.self)
    lock.withLock { if entries.count < count { waits.append((count, end)) } else { end.finish() } }
    // Nothing ever comes: it ends when there are enough, and when the task is cancelled.
    for await _ in stream {}
    return lock.withLock { Array(entries.prefix(max(count, 0))) }
  }

  /// All entries so far, the first noted first.
  public var all: [Entry] { lock.withLock { entries } }

  /// How many entries there are so far.
  public var count: Int { lock.withLock { entries.count } }
}
