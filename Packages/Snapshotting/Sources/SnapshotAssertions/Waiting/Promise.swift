internal import Foundation

/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
final class Promise<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value?
  private var listener: (@Sendable () -> Void)?

  var result: Value? { lock.withLock { value } }

  /// Later values are dropped.
  func fulfill(_ newValue: sending Value) {
    lock.lock()
    guard value == nil else { return lock.unlock() }
    value = newValue
    let listener = listener
    lock.unlock()
    listener?()
  }

  /// Call it at most once.
  func whenFulfilled(_ newListener: @escaping @Sendable () -> Void) {
    lock.lock()
    let isFulfilled = value != nil
    if !isFulfilled { listener = newListener }
    lock.unlock()
    if isFulfilled { newListener() }
  }
}
