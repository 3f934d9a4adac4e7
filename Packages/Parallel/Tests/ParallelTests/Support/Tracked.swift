import Foundation

/// Counts the objects that are alive.
final class Census: @unchecked Sendable {
  // Unchecked: `count` is read and written only while `lock` is held.
  private let lock = NSLock()
  private var count = 0

  var population: Int { lock.withLock { count } }

  fileprivate func add(_ change: Int) { lock.withLock { count += change } }
}

/// An object that is counted while it is alive.
final class Tracked: Sendable {
  private let census: Census

  init(in census: Census) {
    self.census = census
    census.add(1)
  }

  deinit { census.add(-1) }
}
