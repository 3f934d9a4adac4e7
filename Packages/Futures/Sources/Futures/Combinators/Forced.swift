public import Dispatch
internal import Isolation
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension Future {
  /// Blocks the calling thread until the result is there, and returns it.
  ///
  /// **Dangerous.** On the main thread it freezes the program, and for ever when the result needs the main thread. On a
  /// thread of Swift concurrency it takes away a thread that the result may need. There, use `get()`. It is for tests
  /// and for the edge of a command; called in one of those places, it says so on standard error.
  public func forced(file: StaticString = #fileID, line: UInt = #line) -> Result<T, E> {
    guard let result = forced(.distantFuture, file: file, line: line) else { failAbandonedWait(Self.self) }
    return result
  }

  /// Blocks the calling thread until the result is there or a time has come; `nil` when the time came first.
  ///
  /// The dangers of the other form are here too, but end with the time.
  public func forced(
    _ deadline: DispatchTime, file: StaticString = #fileID, line: UInt = #line
  ) -> Result<T, E>? {
    if let result { return result }
    if let danger = blockingDanger() {
      let warning = "\(file):\(line): `forced` blocks \(danger). Use `get()` or a callback instead.\n"
      _ = Array(warning.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
    let thread = BlockedThread()
    guard registerUnlessCompleted(thread) else { return result }
    if thread.semaphore.wait(timeout: deadline) == .timedOut {
      thread.hasLeft.store(true, ordering: .releasing)
      leave(stopsWork: false)
    }
    return result
  }
}

/// A thread that waits for a future.
///
/// `@unchecked Sendable`: nothing is written after it was created; see ``_Listener``.
private final class BlockedThread: _Listener, @unchecked Sendable {
  let semaphore = DispatchSemaphore(value: 0)
  /// Whether the deadline came first.
  let hasLeft = Atomic(false)

  init() {
    super.init { listener, _, _ in
      unsafeDowncast(listener, to: BlockedThread.self).semaphore.signal()
      return true
    }
  }

  override var isWaiter: Bool { true }

  override var hasEnded: Bool { hasLeft.load(ordering: .acquiring) }

  override func abandon() {
    semaphore.signal()
  }
}

/// What is wrong with blocking the calling thread, or `nil` when it is a thread to block.
func blockingDanger() -> String? {
  if isMainThread() { return "the main thread" }
  if withUnsafeCurrentTask(body: { $0 != nil }) { return "a Swift concurrency thread" }
  return nil
}
