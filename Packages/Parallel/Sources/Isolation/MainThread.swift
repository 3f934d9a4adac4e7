internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Returns whether the calling code runs on the main thread or on the main queue.
///
/// They differ on Linux in a command with an asynchronous `main`, for example `swift test`: several threads run the
/// main queue in turns. `MainActor.assumeIsolated` accepts these threads too.
///
/// A call looks in the current queue. If that is not the main queue, it makes two system calls on Linux.
///
/// ```swift
/// if isMainThread() { render() }
/// ```
public func isMainThread() -> Bool {
  DispatchQueue.getSpecific(key: mainQueueKey) != nil || isFirstThread()
}

/// The key that has a value only on the main queue and on the queues that target it.
private let mainQueueKey: DispatchSpecificKey<Void> = {
  let key = DispatchSpecificKey<Void>()
  DispatchQueue.main.setSpecific(key: key, value: ())
  return key
}()

private func isFirstThread() -> Bool {
  #if canImport(Darwin)
    pthread_main_np() != 0
  #else
    getpid() == threadID()
  #endif
}

#if !canImport(Darwin)
  /// The module map of the C library omits it, so `dlsym` finds it.
  private let threadID: @convention(c) () -> pid_t = {
    guard let symbol = dlsym(nil, "gettid") else { return { 0 } }
    return unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
  }()
#endif
