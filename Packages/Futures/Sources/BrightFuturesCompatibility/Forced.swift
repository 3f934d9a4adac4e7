public import Dispatch
internal import Isolation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension AsyncType {
  /// Blocks the calling thread until the value is available, and returns it.
  ///
  /// **Dangerous.** It never returns if the value needs the blocked thread: the main thread, or a thread of Swift concurrency, where you
  /// use `get()` instead. On these threads it prints a warning to standard error.
  ///
  /// If the promise was released, the program stops with a message.
  public func forced(file: StaticString = #fileID, line: UInt = #line) -> Value {
    guard let value = forced(.distantFuture, file: file, line: line) else {
      failAbandonedWait(for: self, insteadUse: "forced(_:), which returns nil")
    }
    return value
  }

  /// Blocks the calling thread until the value is available, or returns `nil` when a deadline has passed.
  ///
  /// The work continues.
  public func forced(_ deadline: DispatchTime, file: StaticString = #fileID, line: UInt = #line) -> Value? {
    if let result { return result }
    warnIfBlockingIsDangerous(file, line)
    let semaphore = DispatchSemaphore(value: 0)
    do {
      let end = EndOfWait(semaphore)
      onComplete(immediateExecutionContext) { _ in end.signal() }
    }
    // The thread may wait for one of its own calls.
    Trampoline.drain()
    _ = semaphore.wait(timeout: deadline)
    return result
  }
}

/// Wakes the blocked thread when it is called, or when it is released because no value will come.
private final class EndOfWait: Sendable {
  private let semaphore: DispatchSemaphore

  init(_ semaphore: DispatchSemaphore) {
    self.semaphore = semaphore
  }

  deinit {
    semaphore.signal()
  }

  func signal() {
    semaphore.signal()
  }
}

private func warnIfBlockingIsDangerous(_ file: StaticString, _ line: UInt) {
  let danger =
    isMainThread() ? "the main thread" : withUnsafeCurrentTask { $0 != nil } ? "a Swift concurrency thread" : nil
  guard let danger else { return }
  let warning = "\(file):\(line): `forced` blocks \(danger). Use `get()` or a callback instead.\n"
  _ = Array(warning.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
