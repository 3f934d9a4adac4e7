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

/// The functions that receive each event until they unsubscribe.
package final class Subscribers<Event: Sendable>: Sendable {
  private typealias Receiver = (number: Int, receive: @Sendable (Event) -> Void)

  private let state = Locked<(last: Int, receivers: [Receiver])>((0, []))

  package init() {}

  package var count: Int { state.withLock { $0.receivers.count } }

  /// Returns a function that unsubscribes.
  package func add(_ receive: @escaping @Sendable (Event) -> Void) -> @Sendable () -> Void {
    let number = state.withLock { state in
      state.last += 1
      state.receivers.append((state.last, receive))
      return state.last
    }
    return { self.state.withLock { $0.receivers.removeAll { $0.number == number } } }
  }

  /// Calls the functions in the order of their subscriptions, before it returns.
  package func send(_ event: Event) { for receiver in state.withLock({ $0.receivers }) { receiver.receive(event) } }
}
