internal import Foundation

/// Runs work on a new thread, and suspends until it has ended.
///
/// Use it for work that blocks and would occupy a thread of the cooperative pool, and for tests of stack use: on every
/// platform the thread has the stack size of a secondary thread on Apple platforms.
///
/// ```swift
/// let line = await onThread { readLine() }
/// ```
///
/// Cancelling the task does not stop the thread.
///
/// - Parameters:
///   - stackSize: The stack size in bytes, by default 512 KiB. The system may round it up.
///   - work: Called once.
/// - Returns: The result of `work`.
nonisolated(nonsending) public func onThread<Value: Sendable>(
  stackSize: Int = 512 << 10, _ work: @escaping @Sendable () -> Value
) async -> Value {
  await withCheckedContinuation { continuation in
    let thread = Thread { continuation.resume(returning: work()) }
    thread.stackSize = stackSize
    thread.start()
  }
}
