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
final class Census: Sendable {
  private let count = Box(0)

  /// How many of its objects are alive.
  var living: Int { count.value }

  /// A new object, alive until its last reference goes.
  func object() -> Citizen {
    count.update { $0 += 1 }
    return Citizen(self)
  }

  fileprivate func bury() {
    count.update { $0 -= 1 }
  }
}

/// An object that a census counts.
final class Citizen: Sendable {
  private let census: Census

  fileprivate init(_ census: Census) {
    self.census = census
  }

  deinit {
    census.bury()
  }
}
