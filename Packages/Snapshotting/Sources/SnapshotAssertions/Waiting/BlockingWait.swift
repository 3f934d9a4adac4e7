internal import Foundation
internal import Isolation
internal import Parallel
internal import Snapshotting
internal import SnapshotStore

/// Takes a snapshot, and blocks until it is delivered.
///
/// - Parameter timeout: The maximum time, in addition to the deadline extensions in the log.
func take<Value, Format>(
  _ value: Value, as strategy: Snapshotting<Value, Format>, _ context: SnapshotContext<Format>, log: SnapshotLog,
  timeout: TimeInterval
) throws(SnapshotError) -> Format {
  let promise = Promise<Format>()
  startBeforeBlocking { strategy.capture(value, context).run { promise.fulfill($0) } }
  return try wait(
    for: promise, strategy: "\(Snapshotting<Value, Format>.self)", timeout: Duration(timeout: timeout), log: log)
}

/// Starts a snapshot that the calling thread then blocks for.
///
/// In a deeply nested callback, the start waits in the list of the trampoline. This function makes the waiting calls.
///
/// The cooperative pool has a queue of limited width for each priority. Concurrent tests that block fill the queue of their own
/// priority, and the tasks of their strategies would wait for them. So in a task, the tasks that `start` creates get another priority.
private func startBeforeBlocking(_ start: () -> Void) {
  guard BlockedExecutor.current != nil, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
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

private enum BlockedExecutor {
  case mainActor
  case poolThread

  static var current: BlockedExecutor? {
    guard withUnsafeCurrentTask(body: { $0 != nil }) else { return nil }
    return isMainThread() ? .mainActor : .poolThread
  }
}

/// The main thread runs its run loop while it waits.
///
/// Any number of threads can wait at the same time.
private func wait<Value>(
  for promise: Promise<Value>, strategy: @autoclosure () -> String, timeout: Duration, log: SnapshotLog
) throws(SnapshotError) -> Value {
  if let value = promise.result { return value }
  let runsRunLoop = isMainThread()
  let start = ContinuousClock.now
  let delivered = DispatchSemaphore(value: 0)
  promise.whenFulfilled {
    delivered.signal()
    // Wakes the run loop.
    if runsRunLoop { DispatchQueue.main.async {} }
  }
  while true {
    if runsRunLoop, MainThreadWork.shared.isPending { startBeforeBlocking { MainThreadWork.shared.run() } }
    if let value = promise.result { return value }
    let allowed = timeout + log.deadlineExtension
    let left = start.advanced(by: allowed) - ContinuousClock.now
    guard left > .zero else { throw SnapshotError(blockedTimeoutMessage(after: allowed, strategy: strategy())) }
    // In slices, because the strategy may extend the deadline during the wait.
    let slice = min(left, .milliseconds(50))
    if !runsRunLoop {
      _ = delivered.wait(timeout: .now() + slice.inSeconds)
    } else if !RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: slice.inSeconds)) {
      _ = delivered.wait(timeout: .now() + 0.001)
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
