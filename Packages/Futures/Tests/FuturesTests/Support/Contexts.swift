import Dispatch
import Futures

/// A context that runs the work at once, and that the library cannot recognise as the immediate context.
let synchronousContext: ExecutionContext = { $0() }

let discardingContext: ExecutionContext = { _ in }

let doublingContext: ExecutionContext = { work in
  work()
  work()
}

/// A context that runs its work on request.
final class ManualContext: Sendable {
  private let pending = Box<[@Sendable () -> Void]>([])

  var context: ExecutionContext {
    { work in self.pending.update { $0.append(work) } }
  }

  var count: Int { pending.value.count }

  func takeFirst() -> (@Sendable () -> Void)? {
    pending.update { $0.isEmpty ? nil : $0.removeFirst() }
  }

  func takeLast() -> (@Sendable () -> Void)? {
    pending.update { $0.popLast() }
  }

  /// Runs all deferred work, including work that is added while it runs.
  func runAll() {
    while let work = takeFirst() { work() }
  }
}

/// A serial queue that knows whether the caller runs on it.
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
