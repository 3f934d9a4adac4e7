import Foundation

/// An event that happens once.
///
/// A cancelled task waits for it too.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class Signal: @unchecked Sendable {
  private let lock = NSLock()
  private var isRaised = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func raise() {
    let waiters = lock.withLock {
      isRaised = true
      defer { waiting = [] }
      return waiting
    }
    for waiter in waiters { waiter.resume() }
  }

  var hasBeenRaised: Bool { lock.withLock { isRaised } }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isRaised = lock.withLock {
        if !self.isRaised { waiting.append(continuation) }
        return self.isRaised
      }
      if isRaised { continuation.resume() }
    }
  }
}
