/// A value that need not be `Sendable`, in transit from its maker to its receiver.
///
/// `@unchecked Sendable`: a run has one value, and each stage passes it to one receiver without keeping it. The user's closures
/// receive it as `sending`. A closure outside of an actor can only return a value that it received or made. A closure
/// on an actor must not return a value that it keeps; the documentation of `map` states that.
@usableFromInline
struct Parcel<Value>: @unchecked Sendable {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) {
    self.value = value
  }

  @inlinable
  func take() -> sending Value {
    // The parcel is the only owner, and its own owner never reads it again.
    nonisolated(unsafe) let value = value
    return value
  }
}
