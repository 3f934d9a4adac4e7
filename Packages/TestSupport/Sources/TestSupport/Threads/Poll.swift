/// Waits while a condition of another task or process holds, and checks it each millisecond.
///
/// Use it where nothing announces the change. It leaves the processor to the work that it waits for, and ends with the
/// time limit of the test.
///
/// ```swift
/// try await poll(while: pool.isResetting)
/// ```
///
/// - Parameters:
///   - isolation: The caller's actor. The condition is evaluated on it.
///   - condition: The condition. It is evaluated at least once.
/// - Throws: The error of the condition, or `CancellationError` when the task is cancelled.
public func poll(
  isolation: isolated (any Actor)? = #isolation, while condition: @autoclosure () async throws -> Bool
) async throws {
  while try await condition() { try await Task.sleep(for: .milliseconds(1)) }
}
