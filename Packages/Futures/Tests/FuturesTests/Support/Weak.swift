/// A weak reference, to check that an object is released.
struct Weak<Object: AnyObject & Sendable>: Sendable {
  weak let object: Object?

  init(_ object: Object?) {
    self.object = object
  }
}
