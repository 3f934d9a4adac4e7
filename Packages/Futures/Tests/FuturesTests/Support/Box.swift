import Foundation

/// A variable that closures share.
///
/// `@unchecked Sendable`: `lock` guards `content`.
final class Box<Content: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var content: Content

  init(_ content: Content) {
    self.content = content
  }

  var value: Content {
    get { lock.withLock { content } }
    set {
      // The old content goes after the lock is given back, since its end may run anything.
      let old = lock.withLock {
        let old = content
        content = newValue
        return old
      }
      _ = old
    }
  }

  /// Changes the content and returns what `change` returns.
  func update<Outcome>(_ change: (inout Content) -> Outcome) -> Outcome {
    lock.withLock { change(&content) }
  }
}

/// Objects that are counted while they live.
final class ObjectCounter: Sendable {
  private let count = Box(0)

  /// How many of its objects are alive.
  var liveCount: Int { count.value }

  /// A new object, alive until its last reference goes.
  func object() -> CountedObject {
    count.update { $0 += 1 }
    return CountedObject(self)
  }

  fileprivate func decrement() {
    count.update { $0 -= 1 }
  }
}

/// An object that a counter counts.
final class CountedObject: Sendable {
  private let counter: ObjectCounter

  fileprivate init(_ counter: ObjectCounter) {
    self.counter = counter
  }

  deinit {
    counter.decrement()
  }
}
