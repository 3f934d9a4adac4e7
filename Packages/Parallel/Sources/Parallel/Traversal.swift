internal import Synchronization

/// One run of a traverse: starts elements while there are permits, and collects their values by position.
///
/// `@unchecked Sendable`: a value is written to its own place before `remaining` is counted down, and read by whoever
/// counts to zero. `nextIndex` belongs to whoever holds the drain, which passes on through `permits`.
final class Traversal<Element: Sendable, Value>: @unchecked Sendable {
  private let elements: [Element]
  private let transform: @Sendable (Element) -> Parallel<Value>
  private let receiver: Receiver<[Value]>
  private let values: UnsafeMutableBufferPointer<Value?>
  private let remaining: Atomic<Int>
  private let permits: Atomic<Int>
  private var nextIndex = 0

  init(
    of elements: [Element],
    maxConcurrent limit: Int,
    for receiver: Receiver<[Value]>,
    _ transform: @escaping @Sendable (Element) -> Parallel<Value>
  ) {
    self.elements = elements
    self.transform = transform
    self.receiver = receiver
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
    if elements.isEmpty { receiver.deliver([]) } else { drain() }
  }

  /// Starts elements until no permit is left.
  ///
  /// A value that arrives meanwhile only adds a permit to this loop, so parallels that answer at once do not nest.
  private func drain() {
    repeat {
      if nextIndex < elements.count {
        let index = nextIndex
        nextIndex += 1
        transform(elements[index]).start(for: Place(at: index, in: self))
      }
    } while permits.subtract(1, ordering: .acquiringAndReleasing).newValue > 0
  }

  fileprivate func arrive(_ value: sending Value, at index: Int) {
    values[index] = value
    if remaining.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
      receiver.deliver(Parcel(unchecked: takeValues()).take())
    } else if permits.add(1, ordering: .acquiringAndReleasing).oldValue == 0 {
      drain()
    }
  }

  /// Moves the values out, so that whoever gets them is their only holder.
  private func takeValues() -> [Value] {
    values.indices.compactMap { values[$0].take() }
  }

  /// The receiver of the value at one position.
  private final class Place: Receiver<Value>, @unchecked Sendable {
    private let index: Int
    private let traversal: Traversal

    init(at index: Int, in traversal: Traversal) {
      self.index = index
      self.traversal = traversal
      super.init()
    }

    override func receive(_ value: sending Value) {
      traversal.arrive(value, at: index)
    }
  }
}
