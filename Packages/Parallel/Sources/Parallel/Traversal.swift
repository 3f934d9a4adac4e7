internal import Isolation
internal import Synchronization

/// One run of a `traverse`: it starts elements while permits are left, and collects their values by position.
///
/// `@unchecked Sendable`: a value is written to its own place before the countdown of `remaining`, and read by the caller that
/// counts to zero. `nextIndex` belongs to the thread in ``drain()``; `permits` passes it on.
final class Traversal<Element: Sendable, Value>: @unchecked Sendable {
  private let elements: [Element]
  private let transform: @Sendable (Element) -> Parallel<Value>
  private let next: Parallel<[Value]>.Callback
  private let values: UnsafeMutableBufferPointer<Value?>
  private let remaining: Atomic<Int>
  private let permits: Atomic<Int>
  private var nextIndex = 0

  init(
    of elements: [Element],
    maxConcurrent limit: Int,
    for next: @escaping Parallel<[Value]>.Callback,
    _ transform: @escaping @Sendable (Element) -> Parallel<Value>
  ) {
    self.elements = elements
    self.transform = transform
    self.next = next
    values = .allocate(capacity: elements.count)
    values.initialize(repeating: nil)
    remaining = Atomic(elements.count)
    permits = Atomic(Swift.max(1, Swift.min(limit, elements.count)))
  }

  deinit {
    values.deinitialize()
    values.deallocate()
  }

  func begin() {
    guard !elements.isEmpty else { return next([]) }
    Trampoline.call {
      drain()
    } orLater: {
      { self.drain() }
    }
  }

  /// A value that arrives at the same time only adds a permit to this loop, so synchronous parallels do not nest.
  private func drain() {
    repeat {
      if nextIndex < elements.count {
        let index = nextIndex
        nextIndex += 1
        transform(elements[index]).start { self.arrive($0, at: index) }
      }
    } while permits.subtract(1, ordering: .acquiringAndReleasing).newValue > 0
  }

  private func arrive(_ value: sending Value, at index: Int) {
    values[index] = value
    if remaining.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
      Parallel.pass(takeValues(), to: next)
    } else if permits.add(1, ordering: .acquiringAndReleasing).oldValue == 0 {
      drain()
    }
  }

  /// Moves the values out, so that the caller is their only owner.
  private func takeValues() -> [Value] {
    var taken: [Value] = []
    taken.reserveCapacity(values.count)
    // `compactMap` would take a third of the time of a traversal of synchronous closures.
    for index in values.indices { if let value = values[index].take() { taken.append(value) } }
    return taken
  }
}
