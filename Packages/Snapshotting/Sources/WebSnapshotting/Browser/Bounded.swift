/// Does work within a limit of time.
///
/// - Throws: ``WebError`` of the kind `timedOut` when time is up, and whatever the work throws.
func bounded<Value: Sendable>(
  _ limit: Duration, on clock: any Clock<Duration>, doing what: String,
  _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask(executorPreference: BrowserExecutor.shared) { try await work() }
    group.addTask(executorPreference: BrowserExecutor.shared) {
      try await clock.sleep(for: limit)
      return nil
    }
    defer { group.cancelAll() }
    guard case .some(.some(let value)) = try await group.next() else {
      throw WebError(kind: .timedOut, description: "Timed out after \(limit) while waiting for \(what).")
    }
    return value
  }
}
