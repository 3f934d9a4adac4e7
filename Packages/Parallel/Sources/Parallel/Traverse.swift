internal import Isolation
internal import Synchronization

extension Sequence {
  /// Returns a parallel that makes a parallel from each element, and calls back with all values in the order of the
  /// elements.
  ///
  /// ```swift
  /// birds.traverse(maxConcurrent: 4, picture(of:)).run { pictures in show(pictures) }
  /// ```
  ///
  /// Each run starts the parallels in order, on the thread that calls `run` and on the threads where values arrive. At most `limit`
  /// parallels, and at least one, are in flight at the same time. An empty sequence calls back at once.
  @preconcurrency
  public func traverse<Value>(
    maxConcurrent limit: Int = .max,
    _ transform: @escaping @Sendable (Element) -> Parallel<Value>
  ) -> Parallel<[Value]> where Element: Sendable {
    let elements = Array(self)
    return Parallel<[Value]>(
      Stage { next in
        Traversal(of: elements, maxConcurrent: limit, for: next, transform).begin()
      })
  }

  /// Returns a parallel that runs all parallels at the same time, and calls back with their values in order.
  ///
  /// ```swift
  /// [left, right].sequence().run { values in print(values) }
  /// ```
  public func sequence<Value>() -> Parallel<[Value]> where Element == Parallel<Value> {
    traverse { $0 }
  }
}

/// One run of a `traverse`: it starts elements while permits are left, and collects their values by position.
///
/// `@unchecked Sendable`: `nextIndex` belongs to the thread in ``startElements()``; `permits` passes it on.
private final class Traversal<Element: Sendable, Value>: @unchecked Sendable {
  private let elements: [Element]
  private let transform: @Sendable (Element) -> Parallel<Value>
  private let next: Stage<[Value]>
  private let slots: [Slot<Value>]
  private let remaining: Countdown
  private let permits: Atomic<Int>
  private var nextIndex = 0

  init(
    of elements: [Element], maxConcurrent limit: Int, for next: Stage<[Value]>,
    _ transform: @escaping @Sendable (Element) -> Parallel<Value>
  ) {
    self.elements = elements
    self.transform = transform
    self.next = next
    slots = elements.map { _ in Slot() }
    remaining = Countdown(from: elements.count)
    permits = Atomic(Swift.max(1, Swift.min(limit, elements.count)))
  }

  func begin() {
    if elements.isEmpty { next.call([]) } else { startElements() }
  }

  /// A value that arrives at the same time only adds a permit to this loop, so synchronous parallels do not nest.
  private func startElements() {
    repeat {
      if nextIndex < elements.count {
        let index = nextIndex
        nextIndex += 1
        transform(elements[index]).start { self.arrive($0, at: index) }
      }
    } while permits.subtract(1, ordering: .acquiringAndReleasing).newValue > 0
  }

  private func arrive(_ value: sending Value, at index: Int) {
    slots[index].value = value
    if remaining.countDown() {
      next.call(slots.map { $0.take() })
    } else if permits.add(1, ordering: .acquiringAndReleasing).oldValue == 0 {
      startElements()
    }
  }
}
