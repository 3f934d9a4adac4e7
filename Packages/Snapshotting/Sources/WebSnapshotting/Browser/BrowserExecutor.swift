internal import Dispatch

/// Runs what captures pages on a queue of its own, since tests may hold all threads of the cooperative pool while they wait.
final class BrowserExecutor: TaskExecutor {
  static let shared = BrowserExecutor()

  /// Without a quality of service: on Linux the threads of a higher one come before other processes for root, and so would the browser
  /// that one of them starts.
  private let queue = DispatchQueue(label: "WebSnapshotting", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Runs asynchronous work away from the cooperative pool, and cancels it with the task that waits.
func awayFromPool<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
  let task = Task(executorPreference: BrowserExecutor.shared, operation: work)
  return try await withTaskCancellationHandler {
    try await task.value
  } onCancel: {
    task.cancel()
  }
}
