internal import Foundation

/// The replies to commands that were given together; the first failure is the answer of all.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class Replies: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [JSONValue?]
  private var missing: Int
  private var continuation: CheckedContinuation<[JSONValue], any Error>?
  private var failure: (any Error)?
  private let onLate: (@Sendable (JSONValue) -> Void)?

  /// - Parameter onLate: Is told of each reply for which nobody waits any more.
  init(count: Int, onLate: (@Sendable (JSONValue) -> Void)? = nil) {
    values = Array(repeating: nil, count: count)
    missing = count
    self.onLate = onLate
  }

  /// Sets who waits; called once.
  func wait(with continuation: CheckedContinuation<[JSONValue], any Error>) {
    lock.lock()
    if let failure {
      lock.unlock()
      continuation.resume(throwing: failure)
    } else if missing == 0 {
      lock.unlock()
      continuation.resume(returning: [])
    } else {
      self.continuation = continuation
      lock.unlock()
    }
  }

  /// Takes the reply to one of the commands.
  func arrive(_ reply: Result<JSONValue, any Error>, at index: Int) {
    switch reply {
    case .failure(let error): fail(error)
    case .success(let value):
      let (ready, isLate): ((CheckedContinuation<[JSONValue], any Error>, [JSONValue])?, Bool) = lock.withLock {
        values[index] = value
        missing -= 1
        guard failure == nil else { return (nil, true) }
        guard missing == 0, let waiter = continuation.take() else { return (nil, false) }
        return ((waiter, values.compactMap { $0 }), false)
      }
      ready?.0.resume(returning: ready?.1 ?? [])
      if isLate { onLate?(value) }
    }
  }

  /// Ends the wait.
  func fail(_ error: any Error) {
    let waiter = lock.withLock {
      failure = failure ?? error
      return continuation.take()
    }
    waiter?.resume(throwing: error)
  }
}
