internal import Foundation

/// Runs work on a new thread, and suspends until it has ended.
///
/// Use it for work that blocks, and for tests of stack use: the thread has the stack size of a secondary thread on Apple's
/// platforms.
///
/// ```swift
/// let line = await onThread { readLine() }
/// ```
///
/// Cancelling the task does not stop the thread.
///
/// The system may round up `stackSize`, which is in bytes.
nonisolated(nonsending) public func onThread<Value: Sendable>(
  stackSize: Int = 512 << 10, _ work: @escaping @Sendable () -> Value
) async -> Value {
  await withCheckedContinuation { continuation in
    let thread = Thread { continuation.resume(returning: work()) }
    thread.stackSize = stackSize
    thread.start()
  }
}

/// Waits while a condition of another task or process holds, and checks it each millisecond.
///
/// Use it where nothing announces the change. It leaves the processor to the work that it waits for, and ends with the
/// time limit of the test.
///
/// ```swift
/// try await poll(while: pool.isResetting)
/// ```
///
/// - Parameters:
///   - isolation: The caller's actor. The condition is evaluated on it.
///   - condition: The condition. It is evaluated at least once.
/// - Throws: The error of the condition, or `CancellationError` when the task is cancelled.
public func poll(
  isolation: isolated (any Actor)? = #isolation, while condition: @autoclosure () async throws -> Bool
) async throws {
  while try await condition() { try await Task.sleep(for: .milliseconds(1)) }
}

/// Runs a closure on several threads that start at the same moment, and waits until all have finished.
///
/// Use it in tests for races. Each thread is new, not from Swift's cooperative pool, and waits at a barrier until all
/// have started. This function blocks the calling thread. An `async` function calls the suspending overload.
///
/// ```swift
/// let counter = Counter()
/// hammer(threads: 4, iterations: 1_000) { _, _ in counter.increment() }
/// #expect(counter.value == 4_000)
/// ```
///
/// - Parameters:
///   - threads: The number of threads, at least one.
///   - iterations: The number of calls on each thread; less than zero counts as zero.
///   - body: Called with the index of the thread and the index of the iteration. A thread whose call throws stops, and
///     the others continue.
/// - Throws: The error of `body`, after all threads have finished. If several threads throw, the error of the lowest
///   thread index.
public func hammer<Failure: Error>(
  threads: Int = 4,
  iterations: Int = 1,
  _ body: @escaping @Sendable (_ thread: Int, _ iteration: Int) throws(Failure) -> Void
) throws(Failure) {
  let crew = Crew<Failure>(size: max(1, threads))
  for index in 0..<crew.size {
    Thread.detachNewThread {
      crew.begin()
      do throws(Failure) {
        for iteration in 0..<max(0, iterations) { try body(index, iteration) }
        crew.finish(index, nil)
      } catch {
        crew.finish(index, error)
      }
    }
  }
  if let failure = crew.firstFailure() { throw failure }
}

/// Runs a closure on several threads that start at the same moment, and suspends until all have finished.
///
/// Otherwise like the blocking overload. Cancelling the task does not stop the threads.
nonisolated(nonsending) public func hammer<Failure: Error>(
  threads: Int = 4,
  iterations: Int = 1,
  _ body: @escaping @Sendable (_ thread: Int, _ iteration: Int) throws(Failure) -> Void
) async throws(Failure) {
  try await onThread { () -> Result<Void, Failure> in
    Result { () throws(Failure) in try hammer(threads: threads, iterations: iterations, body) }
  }.get()
}

/// A barrier at which the threads of `hammer` wait for each other, and their failures.
///
/// `@unchecked Sendable`: `gate` guards all mutable state.
private final class Crew<Failure: Error>: @unchecked Sendable {
  let size: Int
  private let gate = NSCondition()
  private var begun = 0
  private var finished = 0
  private var failures: [Int: Failure] = [:]

  init(size: Int) { self.size = size }

  /// Waits until all threads have begun.
  func begin() {
    gate.withLock {
      begun += 1
      if begun == size { gate.broadcast() }
      while begun < size { gate.wait() }
    }
  }

  func finish(_ index: Int, _ failure: Failure?) {
    gate.withLock {
      failures[index] = failure
      finished += 1
      gate.broadcast()
    }
  }

  /// Waits until all threads have finished.
  func firstFailure() -> Failure? {
    gate.withLock {
      while finished < size { gate.wait() }
      return failures.min { $0.key < $1.key }?.value
    }
  }
}
