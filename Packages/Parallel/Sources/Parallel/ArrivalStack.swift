internal import Synchronization

/// The receivers that have their value, last one first; any thread may push, one thread reads at the end.
struct ArrivalStack: ~Copyable, Sendable {
  private let top = Atomic<Unmanaged<AnyReceiver>?>(nil)

  /// Adds a receiver and keeps it alive until the stack is gone.
  func push(_ receiver: AnyReceiver) {
    let entry = Unmanaged.passRetained(receiver)
    var below = top.load(ordering: .relaxed)
    while true {
      receiver.below = below
      // Release: whoever reads the stack sees the receiver as it was pushed.
      let result = top.compareExchange(
        expected: below, desired: entry, successOrdering: .releasing, failureOrdering: .relaxed)
      if result.exchanged { return }
      below = result.original
    }
  }

  /// The receiver that was made for a position.
  ///
  /// Walks the stack: a `zip` has few values, and one object less for each of them is worth the walk.
  func first(at position: UInt32) -> AnyReceiver? {
    var entry = top.load(ordering: .acquiring)
    while let receiver = entry?.takeUnretainedValue() {
      if receiver.position == position { return receiver }
      entry = receiver.below
    }
    return nil
  }

  deinit {
    var entry = top.load(ordering: .acquiring)
    while let current = entry {
      entry = current.takeUnretainedValue().below
      current.release()
    }
  }
}
