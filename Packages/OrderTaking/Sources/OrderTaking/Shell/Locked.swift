/// `@unchecked Sendable`: the value is used only while the lock is held.
package final class Locked<Value>: Lock, @unchecked Sendable {
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLock<Outcome, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Outcome
  ) throws(Failure) -> Outcome {
    lock()
    defer { unlock() }
    return try body(&value)
  }
}
