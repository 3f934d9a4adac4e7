import Dispatch
import Futures

/// A context of its own kind that runs the work at once; the library cannot know it as the immediate one.
let synchronousContext: ExecutionContext = { $0() }

/// A context that never runs the work.
let droppingContext: ExecutionContext = { _ in }

/// A context that runs the work twice.
let doublingContext: ExecutionContext = { work in
  work()
  work()
}

/// A context that keeps the work until the test asks for it.
final class ManualContext: Sendable {
  private let works = Box<[@Sendable () -> Void]>([])

  /// The context that keeps the work.
  var context: ExecutionContext {
    { work in self.works.update { $0.append(work) } }
  }

  /// How many pieces of work are kept.
  var count: Int { works.value.count }

  /// Takes what came first, to be run or dropped.
  func takeFirst() -> (@Sendable () -> Void)? {
    works.update { $0.isEmpty ? nil : $0.removeFirst() }
  }

  /// Takes what came last, to be run or dropped.
  func takeLast() -> (@Sendable () -> Void)? {
    works.update { $0.popLast() }
  }

  /// Runs all that is kept, and what comes meanwhile.
  func runAll() {
    while let work = takeFirst() { work() }
  }
}

/// A serial queue, and the answer to whether the caller runs on it.
final class TestQueue: Sendable {
  private static let key = DispatchSpecificKey<ObjectIdentifier>()
  let queue: DispatchQueue

  init(_ label: String) {
    queue = DispatchQueue(label: label)
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
  }

  var context: ExecutionContext { queue.context }
  var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }
}
