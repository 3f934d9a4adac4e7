internal import Foundation
internal import Isolation
internal import Snapshotting
internal import Synchronization

/// How a synchronous assertion can wait where it is called.
enum BlockingWait: Equatable {
  /// It turns the run loop, so that what is sent to the main queue, and so to the main actor, is done.
  case mainRunLoop
  /// It blocks its thread, which nobody needs.
  case thread
  /// It blocks a thread of the cooperative pool, which others need too.
  case poolThread
  /// It cannot: the main queue is busy with the caller itself.
  case impossible

  /// The way for the calling thread.
  static var current: BlockingWait {
    let isInTask = withUnsafeCurrentTask { $0 != nil }
    return switch (isMainThread(), isInTask) {
    case (true, true): .impossible
    case (true, false): .mainRunLoop
    case (false, true): .poolThread
    case (false, false): .thread
    }
  }
}

/// Waits until a value arrives or time is up, by blocking.
///
/// - Parameters:
///   - strategy: The type of the strategy, for messages.
///   - timeout: How long to wait, beside what the strategy asked for in its log.
/// - Throws: ``AssertionError`` when time is up, or when blocking could not work.
func wait<Value>(
  for arrival: Arrival<Value>, strategy: @autoclosure () -> String, timeout: Duration, log: SnapshotLog
) throws(AssertionError) -> Value {
  if let value = arrival.result { return value }
  let strategy = strategy()
  switch BlockingWait.current {
  case .impossible:
    throw AssertionError(
      wouldBlockMessage(strategy: strategy, reason: "it would block the main actor, which the strategy may need.")
    )
  case .poolThread:
    guard poolThreads.enter() else {
      throw AssertionError(
        wouldBlockMessage(strategy: strategy, reason: "it would block the last free thread of the cooperative pool."))
    }
    defer { poolThreads.leave() }
    return try block(until: arrival, strategy, timeout, log, turnsRunLoop: false)
  case .thread: return try block(until: arrival, strategy, timeout, log, turnsRunLoop: false)
  case .mainRunLoop: return try block(until: arrival, strategy, timeout, log, turnsRunLoop: true)
  }
}

private func block<Value>(
  until arrival: Arrival<Value>, _ strategy: String, _ timeout: Duration, _ log: SnapshotLog, turnsRunLoop: Bool
) throws(AssertionError) -> Value {
  let start = ContinuousClock.now
  let arrived = DispatchSemaphore(value: 0)
  arrival.whenArrived {
    arrived.signal()
    // The run loop looks at its sources again.
    if turnsRunLoop { DispatchQueue.main.async {} }
  }
  while true {
    if let value = arrival.result { return value }
    let allowed = timeout + log.deadlineExtension
    let left = start.advanced(by: allowed) - ContinuousClock.now
    guard left > .zero else { throw AssertionError(timeoutMessage(after: allowed, strategy: strategy)) }
    // In slices, since the strategy may ask for more time while it is waited for.
    let slice = min(left, .milliseconds(50))
    if !turnsRunLoop {
      _ = arrived.wait(timeout: .now() + slice.inSeconds)
    } else if !RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: slice.inSeconds)) {
      _ = arrived.wait(timeout: .now() + 0.001)
    }
  }
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

private let poolThreads = PoolThreads(width: ProcessInfo.processInfo.activeProcessorCount)

/// Counts the threads of the cooperative pool that are blocked here, so that one is always left.
struct PoolThreads: ~Copyable, Sendable {
  private let blocked = Atomic(0)
  private let width: Int

  init(width: Int) {
    self.width = width
  }

  /// Whether one more may be blocked; then ``leave()`` has to follow.
  func enter() -> Bool {
    guard blocked.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue < width else {
      leave()
      return false
    }
    return true
  }

  func leave() {
    blocked.wrappingSubtract(1, ordering: .acquiringAndReleasing)
  }
}
