internal import Dispatch

/// Runs what captures pages on a queue of its own, since tests may hold all threads of the cooperative pool while they wait.
final class BrowserExecutor: TaskExecutor {
  static let shared = BrowserExecutor()

  private let queue = DispatchQueue(label: "WebSnapshotting", qos: .userInitiated, attributes: .concurrent)

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
