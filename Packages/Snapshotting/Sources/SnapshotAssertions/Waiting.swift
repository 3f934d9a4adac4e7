internal import Foundation
internal import Isolation
internal import Parallel
internal import Snapshotting
internal import SnapshotStore

/// Takes a snapshot, and suspends until it is delivered.
///
/// - Parameter timeout: The maximum time in seconds, in addition to the deadline extensions in the log.
func take<Value, Format, C: Clock>(
  _ value: Value, as strategy: Snapshotting<Value, Format>, _ context: SnapshotContext<Format>, log: SnapshotLog,
  timeout: TimeInterval, on clock: C, isolation: isolated (any Actor)? = #isolation
) async throws(SnapshotError) -> Format where C.Duration == Duration {
  let timeout = Duration(timeout: timeout)
  let (results, delivery) = AsyncStream.makeStream(of: UnsafeTransfer<Format>.self)
  let start = clock.now
  log.timeout = timeout
  strategy.capture(value, context).run { delivery.yield(UnsafeTransfer($0)) }
  let alarm = Task {
    var allowed = timeout
    repeat {
      allowed = timeout + log.deadlineExtension
      guard (try? await clock.sleep(until: start.advanced(by: allowed), tolerance: nil)) != nil else { return }
    } while allowed < timeout + log.deadlineExtension
    delivery.finish()
  }
  defer { alarm.cancel() }
  var iterator = results.makeAsyncIterator()
  // The stream also ends when the task is cancelled.
  if let format = await iterator.next(isolation: isolation) { return format.take() }
  let name = "\(Snapshotting<Value, Format>.self)"
  guard !Task.isCancelled else {
    throw SnapshotError("Cannot take the snapshot: the test was cancelled while it waited for the strategy \(name).")
  }
  throw SnapshotError(timeoutMessage(after: timeout + log.deadlineExtension, strategy: name))
}

/// Takes a snapshot, and blocks until it is delivered.
///
/// The main thread runs its run loop while it waits. Any number of threads can wait at the same time.
func takeBlocking<Value, Format>(
  _ value: Value, as strategy: Snapshotting<Value, Format>, _ context: SnapshotContext<Format>, log: SnapshotLog,
  timeout: TimeInterval
) throws(SnapshotError) -> Format {
  let timeout = Duration(timeout: timeout)
  // Written once, before the signal, and read after it.
  nonisolated(unsafe) var result: Format?
  let (start, delivered, runsRunLoop) = (ContinuousClock.now, DispatchSemaphore(value: 0), isMainThread())
  log.timeout = timeout
  startBeforeBlocking {
    strategy.capture(value, context).run { format in
      result = format
      delivered.signal()
      // Wakes the run loop.
      if runsRunLoop { DispatchQueue.main.async {} }
    }
  }
  while true {
    if runsRunLoop, MainThreadWork.shared.isPending { startBeforeBlocking { MainThreadWork.shared.run() } }
    if delivered.wait(timeout: .now()) == .success, let result { return result }
    let allowed = timeout + log.deadlineExtension
    let left = start.advanced(by: allowed) - ContinuousClock.now
    guard left > .zero else {
      throw SnapshotError(
        timeoutMessage(
          after: allowed, strategy: "\(Snapshotting<Value, Format>.self)", blocking: blockedExecutor()))
    }
    // In slices, because the strategy may extend the deadline during the wait.
    let slice = min(left, .milliseconds(50))
    if !runsRunLoop {
      if delivered.wait(timeout: .now() + slice.inSeconds) == .success, let result { return result }
    } else if !RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: slice.inSeconds)) {
      Thread.sleep(forTimeInterval: 0.001)
    }
  }
}

/// Returns the executor of a task that an assertion blocks.
private func blockedExecutor() -> String? {
  guard withUnsafeCurrentTask(body: { $0 != nil }) else { return nil }
  return isMainThread() ? "the main actor" : "a thread of the cooperative pool"
}

/// Starts a snapshot, for which the calling thread then waits.
///
/// In a deeply nested callback, the start waits in the list of the trampoline. This function makes the waiting calls.
///
/// The cooperative pool has a queue of limited width for each priority. Concurrent tests that block fill the queue of
/// their own priority, and the tasks of their strategies would wait for them. So in a task, the tasks that `start`
/// creates get another priority.
private func startBeforeBlocking(_ start: () -> Void) {
  guard blockedExecutor() != nil, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
    start()
    return Trampoline.drain()
  }
  withoutActuallyEscaping(start) { start in
    // The task never suspends, so it ends before `immediate` returns.
    let start = UnsafeTransfer(start)
    Task.immediate(priority: Task.currentPriority == .high ? .medium : .high) {
      start.value()
      Trampoline.drain()
    }
  }
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
