import Foundation

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
  let crew = Crew(threads: threads, iterations: iterations, body: body)
  let finished = DispatchSemaphore(value: 0)
  crew.start { finished.signal() }
  finished.wait()
  if let failure = crew.firstFailure { throw failure }
}

/// Runs a closure on several threads that start at the same moment, and suspends until all have finished.
///
/// Otherwise like the blocking overload. Cancelling the task does not stop the threads.
nonisolated(nonsending) public func hammer<Failure: Error>(
  threads: Int = 4,
  iterations: Int = 1,
  _ body: @escaping @Sendable (_ thread: Int, _ iteration: Int) throws(Failure) -> Void
) async throws(Failure) {
  let crew = Crew(threads: threads, iterations: iterations, body: body)
  await withCheckedContinuation { continuation in
    crew.start { continuation.resume() }
  }
  if let failure = crew.firstFailure { throw failure }
}

/// A barrier at which the threads wait for each other, and the notification when all have finished.
private final class Crew<Failure: Error>: @unchecked Sendable {
  // Unchecked: `arrived`, `finished` and `failures` are read and written only while `gate` is held.
  private let gate = NSCondition()
  private var arrived = 0
  private var finished = 0
  private var failures: [Int: Failure] = [:]

  private let threads: Int
  private let iterations: Int
  private let body: @Sendable (Int, Int) throws(Failure) -> Void

  init(threads: Int, iterations: Int, body: @escaping @Sendable (Int, Int) throws(Failure) -> Void) {
    self.threads = max(1, threads)
    self.iterations = max(0, iterations)
    self.body = body
  }

  var firstFailure: Failure? {
    gate.withLock { failures.min { $0.key < $1.key }?.value }
  }

  func start(whenDone: @escaping @Sendable () -> Void) {
    for index in 0..<threads {
      let thread = Thread { [self] in
        waitForAll()
        work(as: index)
        if isLastToFinish() { whenDone() }
      }
      thread.name = "hammer \(index)"
      thread.start()
    }
  }

  private func waitForAll() {
    gate.withLock {
      arrived += 1
      if arrived == threads { gate.broadcast() }
      while arrived < threads { gate.wait() }
    }
  }

  private func work(as index: Int) {
    do throws(Failure) {
      for iteration in 0..<iterations { try body(index, iteration) }
    } catch {
      gate.withLock { failures[index] = error }
    }
  }

  private func isLastToFinish() -> Bool {
    gate.withLock {
      finished += 1
      return finished == threads
    }
  }
}
