import Foundation

/// Runs a closure on several threads that start at the same moment, and waits until all have finished.
///
/// For tests that look for races: the threads are real ones of their own, never those of Swift's cooperative pool, and all
/// are held at a barrier until the last is there. The calling thread is blocked meanwhile; in an `async` function the form
/// that suspends is chosen instead.
///
/// ```swift
/// let counter = Counter()
/// hammer(threads: 4, iterations: 1_000) { _, _ in counter.increment() }
/// #expect(counter.value == 4_000)
/// ```
///
/// - Parameters:
///   - threads: How many threads; less than one counts as one.
///   - iterations: How often each thread calls the closure; zero or less is never.
///   - body: Called with the thread's index and the iteration's, both from zero. A thread whose call throws stops there;
///     the others go on.
/// - Throws: What `body` threw, after all threads have finished; from the thread of the lowest index, if several did.
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
/// As the form that blocks, in every other way. Cancelling the task does not stop the threads.
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

/// Threads that wait for each other at the start; the last one to finish says so.
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
