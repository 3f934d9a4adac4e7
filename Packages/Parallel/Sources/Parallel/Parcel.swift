/// Carries one value, which need not be `Sendable`, from the thread that makes it to the one that takes it over.
///
/// `@unchecked Sendable`: the value comes in as `sending`, so nobody else holds it, and `take` hands it out to the one
/// closure that the parcel was made for.
struct Parcel<Value>: @unchecked Sendable {
  private let value: Value

  init(_ value: sending Value) {
    self.value = value
  }

  /// Carries what a transform returned.
  ///
  /// A closure that may run anywhere can return only what it made or was given; one
  /// on an actor must not return what it keeps, which the documentation of `map` asks for.
  init(unchecked value: Value) {
    self.value = value
  }

  /// Hands the value over.
  ///
  /// Called once.
  func take() -> sending Value {
    // The parcel is the only holder; its owner never reads it again.
    nonisolated(unsafe) let value = value
    return value
  }
}
