/// `@unchecked Sendable`: the caller of a strategy lends the value to it.
///
/// The closures of a strategy use the value one after the other, each on its actor, or on the thread that runs the
/// snapshot.
package struct UnsafeTransfer<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) {
    self.value = value
  }

  package func take() -> sending Value {
    // The documentation of the strategies requires that the result of a closure has no other owner.
    nonisolated(unsafe) let value = value
    return value
  }
}
