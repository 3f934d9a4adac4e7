/// Carries a value that need not be `Sendable` through the closures of one snapshot.
///
/// `@unchecked Sendable`: whoever asks for a snapshot lends the value to it. The closures of a strategy use it one after the
/// other, never two at a time, each on the actor that it was formed on or, when it was formed on none, on the thread that
/// runs the snapshot or got the value handed over.
package struct Unshared<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) {
    self.value = value
  }

  /// Hands the value over.
  package func take() -> sending Value {
    // What a strategy's closure returned is held by nobody else, as the documentation of the strategies asks for.
    nonisolated(unsafe) let value = value
    return value
  }
}
