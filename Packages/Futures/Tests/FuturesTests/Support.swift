import Dispatch
import Foundation
import Futures

let now = immediateExecutionContext

// MARK: Errors and work

enum TestError: Error, Equatable {
  case first
  case second
  case numbered(Int)
}

enum StoppableError: Error, Equatable, CancellationRepresentable {
  case failed
  case stopped
  static var cancellation: StoppableError { .stopped }
}

/// Work that can be stopped, and that counts how often it was stopped.
final class Work<T: Sendable, E: Error>: Sendable {
  let promise = Promise<T, E>()
  private let stops = Box(0)

  init() {
    promise.onCancel { [stops] in stops.update { $0 += 1 } }
  }

  var future: Future<T, E> { promise.future }
  var stopCount: Int { stops.value }
}

/// Whether a future is completed before or after it is used.
enum Readiness: CaseIterable, Sendable {
  case completed
  case pending

  func future<T, E: Error>(_ result: Result<T, E>) -> (future: Future<T, E>, complete: @Sendable () -> Void) {
    switch self {
    case .completed: return (Future(result: result), {})
    case .pending:
      let promise = Promise<T, E>()
      return (promise.future, { promise.complete(result) })
    }
  }
}

// MARK: Contexts and threads

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

  /// Waits until the queue has run all work that was added before.
  func drain() async {
    await withCheckedContinuation { done in queue.async { done.resume() } }
  }
}

/// Starts a thread with a small stack, and does not wait for it.
func startThread(_ body: @escaping @Sendable () -> Void) {
  let thread = Thread { body() }
  thread.stackSize = 512 << 10
  thread.start()
}

/// Runs a body inside of more callbacks than the 32 that nest, in a call that completes a future.
func inNestedCallbacks(_ body: @escaping @Sendable () -> Void) {
  let promises = (0..<40).map { _ in Promise<Void, Never>() }
  for (promise, next) in zip(promises, promises.dropFirst()) { promise.future.onComplete(now) { _ in next.success() } }
  promises[39].future.onComplete(now) { _ in body() }
  promises[0].success()
}

/// Lets other tasks run, before a test checks that they have started nothing.
func settle() async {
  for _ in 0..<10 { await Task.yield() }
}

// MARK: Values and objects

/// `@unchecked Sendable`: `lock` guards `content`.
final class Box<Content: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var content: Content

  init(_ content: Content) {
    self.content = content
  }

  var value: Content {
    get { lock.withLock { content } }
    set {
      // Release the old content after the lock, because a deinitialiser may run any code.
      let old = lock.withLock {
        let old = content
        content = newValue
        return old
      }
      _ = old
    }
  }

  func update<Outcome>(_ change: (inout Content) -> Outcome) -> Outcome {
    lock.withLock { change(&content) }
  }
}

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
