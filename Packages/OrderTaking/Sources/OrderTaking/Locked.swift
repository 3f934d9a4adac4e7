internal import Foundation

/// A value that is used by one thread at a time.
///
/// The lock is one of Foundation, because ThreadSanitizer does not support the mutex of `Synchronization` on Linux.
///
/// `@unchecked Sendable`: the value is used only while the lock is locked.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLock<Outcome, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Outcome
  ) throws(Failure) -> Outcome {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
