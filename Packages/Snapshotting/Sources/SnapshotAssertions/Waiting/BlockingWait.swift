internal import Foundation
internal import Isolation
internal import Snapshotting

/// Starts a snapshot that the calling thread then blocks for.
///
/// The cooperative pool has a queue of limited width for each priority. Concurrent tests that block fill the queue of their own
/// priority, and the tasks of their strategies would wait for them. So in a task, the tasks that `start` creates get another priority.
func startBeforeBlocking(_ start: () -> Void) {
  guard BlockedExecutor.current != nil, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
    return start()
  }
  withoutActuallyEscaping(start) { start in
    // The task never suspends, so it ends before `immediate` returns.
    let start = Unshared(start)
    Task.immediate(priority: Task.currentPriority == .high ? .medium : .high) { start.value() }
  }
}

/// The executor of a caller that blocks.
private enum BlockedExecutor {
  case mainActor
  case poolThread

  /// The executor of the current task; `nil` outside of tasks.
  static var current: BlockedExecutor? {
    guard withUnsafeCurrentTask(body: { $0 != nil }) else { return nil }
    return isMainThread() ? .mainActor : .poolThread
  }
}

/// Blocks until a value arrives or time is up.
///
/// The main thread runs its run loop while it waits. Any number of threads can wait at the same time.
///
/// - Parameters:
///   - strategy: The type of the strategy, for messages.
///   - timeout: The maximum time, in addition to the deadline extensions in the log.
/// - Throws: ``AssertionError`` when time is up.
func wait<Value>(
  for arrival: Arrival<Value>, strategy: @autoclosure () -> String, timeout: Duration, log: SnapshotLog
) throws(AssertionError) -> Value {
  if let value = arrival.result { return value }
  let runsRunLoop = isMainThread()
  let start = ContinuousClock.now
  let arrived = DispatchSemaphore(value: 0)
  arrival.whenArrived {
    arrived.signal()
    // Wakes the run loop.
    if runsRunLoop { DispatchQueue.main.async {} }
  }
  while true {
    if runsRunLoop, MainThreadWork.shared.isPending { startBeforeBlocking { MainThreadWork.shared.run() } }
    if let value = arrival.result { return value }
    let allowed = timeout + log.deadlineExtension
    let left = start.advanced(by: allowed) - ContinuousClock.now
    guard left > .zero else { throw AssertionError(blockedTimeoutMessage(after: allowed, strategy: strategy())) }
    // In slices, because the strategy may extend the deadline while it is waited for.
    let slice = min(left, .milliseconds(50))
    if !runsRunLoop {
      _ = arrived.wait(timeout: .now() + slice.inSeconds)
    } else if !RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: slice.inSeconds)) {
      _ = arrived.wait(timeout: .now() + 0.001)
    }
  }
}

private func blockedTimeoutMessage(after duration: Duration, strategy: String) -> String {
  let message = timeoutMessage(after: duration, strategy: strategy)
  return switch BlockedExecutor.current {
  case .mainActor: "\(message)\n\n\(blockingMessage("the main actor"))"
  case .poolThread: "\(message)\n\n\(blockingMessage("a thread of the cooperative pool"))"
  case nil: message
  }
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
