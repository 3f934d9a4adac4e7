final class ObjectCounter: Sendable {
  private let count = Box(0)

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

final class CountedObject: Sendable {
  private let counter: ObjectCounter

  fileprivate init(_ counter: ObjectCounter) {
    self.counter = counter
  }

  deinit {
    counter.decrement()
  }
}
