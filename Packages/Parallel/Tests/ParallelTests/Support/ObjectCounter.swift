import Foundation

final class ObjectCounter: @unchecked Sendable {
  // Unchecked: `count` is read and written only while `lock` is held.
  private let lock = NSLock()
  private var count = 0

  var liveCount: Int { lock.withLock { count } }

  fileprivate func add(_ change: Int) { lock.withLock { count += change } }
}

final class CountedObject: Sendable {
  private let counter: ObjectCounter

  init(in counter: ObjectCounter) {
    self.counter = counter
    counter.add(1)
  }

  deinit { counter.add(-1) }
}
