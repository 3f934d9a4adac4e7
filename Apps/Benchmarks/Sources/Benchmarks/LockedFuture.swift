import Foundation

/// A simple future with a lock, a result and an array of callbacks: the baseline for `Future`.
///
/// `@unchecked Sendable`: `lock` guards `result` and `callbacks`.
final class LockedFuture<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var result: Value?
  private var callbacks: [@Sendable (Value) -> Void] = []

  func onComplete(_ callback: @escaping @Sendable (Value) -> Void) {
    let known: Value? = lock.withLock {
      if result == nil { callbacks.append(callback) }
      return result
    }
    if let known { callback(known) }
  }

  func complete(_ value: Value) {
    let waiting = lock.withLock {
      guard result == nil else { return [@Sendable (Value) -> Void]() }
      result = value
      let waiting = callbacks
      callbacks = []
      return waiting
    }
    for callback in waiting { callback(value) }
  }
}
