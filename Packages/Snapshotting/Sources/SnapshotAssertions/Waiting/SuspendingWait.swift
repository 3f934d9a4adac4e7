internal import Foundation
internal import Parallel
internal import Snapshotting
internal import SnapshotStore

func take<Value, Format>(
  _ value: Value, as strategy: Snapshotting<Value, Format>, _ context: SnapshotContext<Format>, log: SnapshotLog,
  timeout: TimeInterval, on clock: some Clock<Duration>, isolation: isolated (any Actor)? = #isolation
) async throws(SnapshotError) -> Format {
  let promise = Promise<Format>()
  strategy.capture(value, context).run { promise.fulfill($0) }
  return try await wait(
    for: promise, strategy: "\(Snapshotting<Value, Format>.self)", timeout: Duration(timeout: timeout), log: log,
    on: clock)
}

private func wait<Value, C: Clock>(
  for promise: Promise<Value>, strategy: @autoclosure () -> String, timeout: Duration, log: SnapshotLog, on clock: C,
  isolation: isolated (any Actor)? = #isolation
) async throws(SnapshotError) -> Value where C.Duration == Duration {
  if let value = promise.result { return value }
  let start = clock.now
  let end = Promise<Void>()
  promise.whenFulfilled { end.fulfill(()) }
  let alarm = Task {
    var allowed = timeout
    repeat {
      allowed = timeout + log.deadlineExtension
      guard (try? await clock.sleep(until: start.advanced(by: allowed), tolerance: nil)) != nil else { return }
    } while allowed < timeout + log.deadlineExtension
    end.fulfill(())
  }
  await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in end.whenFulfilled { continuation.resume() } }
  } onCancel: {
    end.fulfill(())
  }
  alarm.cancel()
  if let value = promise.result { return value }
  guard !Task.isCancelled else {
    throw SnapshotError(
      "Cannot take the snapshot: the test was cancelled while it waited for the strategy \(strategy()).")
  }
  throw SnapshotError(timeoutMessage(after: timeout + log.deadlineExtension, strategy: strategy()))
}
