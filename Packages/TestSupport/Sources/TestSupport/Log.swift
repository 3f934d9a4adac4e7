internal import Foundation

/// A list of events, to which any thread can append.
///
/// ```swift
/// let log = Log<Int>()
/// birds.onSuccess { log.append($0.count) }
/// clock.advance(by: .seconds(3))
/// #expect(log.all == [12])
/// ```
///
/// If another thread appends, wait for the entries with ``first(_:)``.
///
/// `@unchecked Sendable`: `lock` guards all mutable state.
public final class Log<Entry: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var entries: [Entry] = []
  private var waits: [(count: Int, end: AsyncStream<Never>.Continuation)] = []

  public init() {}

  public func append(_ entry: Entry) {
    let ended = lock.withLock {
      entries.append(entry)
      defer { waits.removeAll { $0.count <= entries.count } }
      return waits.filter { $0.count <= entries.count }
    }
    for wait in ended { wait.end.finish() }
  }

  /// Waits until the log has `count` entries, and returns these.
  ///
  /// Returns at once if the log already has enough entries.
  ///
  /// - Returns: The first `count` entries in order, or all entries if the waiting task is cancelled.
  @discardableResult
  public func first(_ count: Int) async -> [Entry] {
    let (stream, end) = AsyncStream.makeStream(of: Never.self)
    lock.withLock { if entries.count < count { waits.append((count, end)) } else { end.finish() } }
    // The stream yields nothing. It ends when the log has enough entries, or when the task is cancelled.
    for await _ in stream {}
    return lock.withLock { Array(entries.prefix(max(count, 0))) }
  }

  public var all: [Entry] { lock.withLock { entries } }

  public var count: Int { lock.withLock { entries.count } }
}
