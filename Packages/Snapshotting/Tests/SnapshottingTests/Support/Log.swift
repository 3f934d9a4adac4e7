import Foundation

/// What happened, in the order in which it was written down, from any thread.
final class Log<Entry: Sendable>: @unchecked Sendable {
  // Unchecked: `entries` is read and written only while `lock` is held.
  private let lock = NSLock()
  private var entries: [Entry] = []

  func append(_ entry: Entry) { lock.withLock { entries.append(entry) } }

  var all: [Entry] { lock.withLock { entries } }
  var count: Int { lock.withLock { entries.count } }
}
