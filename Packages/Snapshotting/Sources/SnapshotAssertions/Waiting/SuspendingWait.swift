internal import Foundation
internal import Snapshotting
internal import Synchronization

/// Waits until a value arrives or time is up, without blocking anybody.
///
/// - Parameters:
///   - clock: Whose time it is.
/// - Throws: ``AssertionError`` when time is up, or when the task is cancelled.
func wait<Value, C: Clock>(
  for arrival: Arrival<Value>, strategy: @autoclosure () -> String, timeout: Duration, log: SnapshotLog, on clock: C,
  isolation: isolated (any Actor)? = #isolation
) async throws(AssertionError) -> Value where C.Duration == Duration {
  if let value = arrival.result { return value }
  let start = clock.now
  let gate = Gate()
  arrival.whenArrived { gate.open() }
  let alarm = Task {
    var allowed = timeout
    repeat {
      allowed = timeout + log.deadlineExtension
      guard (try? await clock.sleep(until: start.advanced(by: allowed), tolerance: nil)) != nil else { return }
    } while allowed < timeout + log.deadlineExtension
    gate.open()
  }
  await withTaskCancellationHandler {
    await gate.opened()
  } onCancel: {
    gate.open()
  }
  alarm.cancel()
  if let value = arrival.result { return value }
  guard !Task.isCancelled else {
    throw AssertionError(
      "Cannot take the snapshot: the test was cancelled while it waited for the strategy \(strategy()).")
  }
  throw AssertionError(timeoutMessage(after: timeout + log.deadlineExtension, strategy: strategy()))
}

/// Lets one task wait until anybody opens it.
///
/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
private final class Gate: @unchecked Sendable {
  private let lock = NSLock()
  private var isOpen = false
  private var waiter: CheckedContinuation<Void, Never>?

  func open() {
    let waiter = lock.withLock {
      isOpen = true
      defer { self.waiter = nil }
      return self.waiter
    }
    waiter?.resume()
  }

  func opened(isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation { continuation in
      let isOpen = lock.withLock {
        if !self.isOpen { waiter = continuation }
        return self.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}
