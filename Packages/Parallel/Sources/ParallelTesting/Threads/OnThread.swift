internal import Foundation

/// Runs work on a thread of its own, and suspends until it has ended.
///
/// For what blocks, which would take one of Swift's threads from everybody else; and for what must do with little stack, since
/// the thread has as much as a secondary one has on Apple's platforms, wherever the test runs.
///
/// ```swift
/// let line = await onThread { readLine() }
/// ```
///
/// Cancelling the task does not stop the thread.
///
/// - Parameters:
///   - stackSize: How many bytes of stack the thread has; half a mebibyte when left out. The system may round it up.
///   - work: Called once.
/// - Returns: What `work` returns.
nonisolated(nonsending) public func onThread<Value: Sendable>(
  stackSize: Int = 512 << 10, _ work: @escaping @Sendable () -> Value
) async -> Value {
  await withCheckedContinuation { continuation in
    let thread = Thread { continuation.resume(returning: work()) }
    thread.stackSize = stackSize
    thread.start()
  }
}
