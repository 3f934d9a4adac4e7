package import Futures

@MainActor
package final class PendingWork {
  private var count = 0
  private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  private var waits = 0
  private var isChecking = false

  package init() {}

  package var isPending: Bool { count > 0 }

  package func begin() { count += 1 }

  package func end() {
    count -= 1
    guard count == 0, !isChecking, !waiting.isEmpty else { return }
    isChecking = true
    // Work that ended may begin other work on this actor: wait for that too.
    Task {
      isChecking = false
      guard count == 0 else { return }
      let done = waiting
      waiting = [:]
      for continuation in done.values { continuation.resume() }
    }
  }

  /// Returns at once when the task is cancelled; the work continues.
  package func waitUntilIdle() async {
    guard count > 0 else { return }
    waits += 1
    let wait = waits
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { continuation.resume() } else { waiting[wait] = continuation }
      }
    } onCancel: {
      // If the handler runs before the continuation exists, the check above finds the cancellation.
      Task { @MainActor in waiting.removeValue(forKey: wait)?.resume() }
    }
  }

  @discardableResult
  package func track<Value, Failure>(
    _ future: Future<Value, Failure>, then: @escaping @MainActor @Sendable (Result<Value, Failure>) -> Void
  ) -> Future<Value, Failure> {
    begin()
    future.onComplete(immediateOnMainExecutionContext) { result in
      MainActor.assumeIsolated {
        then(result)
        self.end()
      }
    }
    return future
  }
}
