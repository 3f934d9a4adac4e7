import Foundation

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
      // Release the old content after the lock, because a deinitialiser may run any code.
      let old = lock.withLock {
        let old = content
        content = newValue
        return old
      }
      _ = old
    }
  }

  func update<Outcome>(_ change: (inout Content) -> Outcome) -> Outcome {
    lock.withLock { change(&content) }
  }
}
