/// Counts the objects that are alive.
final class ObjectCounter: Sendable {
  private let count = Box(0)

  /// The number of objects that are alive.
  var liveCount: Int { count.value }

  /// Creates an object that is counted until it is released.
  func object() -> CountedObject {
    count.update { $0 += 1 }
    return CountedObject(self)
  }

  fileprivate func decrement() {
    count.update { $0 -= 1 }
  }
}

/// An object that an ``ObjectCounter`` counts.
final class CountedObject: Sendable {
  private let counter: ObjectCounter

  fileprivate init(_ counter: ObjectCounter) {
    self.counter = counter
  }

  deinit {
    counter.decrement()
  }
}
