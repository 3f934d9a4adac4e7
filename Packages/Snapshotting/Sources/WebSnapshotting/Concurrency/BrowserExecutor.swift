internal import Dispatch

/// Runs captures on a queue of their own, because tests may block all threads of the cooperative pool while they wait.
final class BrowserExecutor: TaskExecutor {
  static let shared = BrowserExecutor()

  /// Has no quality of service.
  ///
  /// On Linux, threads of root with a higher one get a higher priority, which the browser would inherit.
  private let queue = DispatchQueue(label: "WebSnapshotting", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Runs work on this executor, and cancels it with the calling task.
  static func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = Task(executorPreference: shared, operation: work)
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
