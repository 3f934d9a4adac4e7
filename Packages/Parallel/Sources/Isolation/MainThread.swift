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
/// A call costs a few nanoseconds on the main thread, and a look-up in the current queue on other threads. On Linux, the first
/// call on each thread makes a system call.
///
/// ```swift
/// if isMainThread() { render() }
/// ```
public func isMainThread() -> Bool {
  isFirstThread() || DispatchQueue.getSpecific(key: mainQueueKey) != nil
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
    switch Int(bitPattern: pthread_getspecific(answerKey)) {
    case Answer.main: return true
    case Answer.other: return false
    default:
      let isMain = getpid() == threadID()
      pthread_setspecific(answerKey, UnsafeRawPointer(bitPattern: isMain ? Answer.main : Answer.other))
      return isMain
    }
  #endif
}

#if !canImport(Darwin)
  private enum Answer {
    static let main = 1
    static let other = 2
  }

  /// The module map of the C library omits it, so `dlsym` finds it.
  private let threadID: @convention(c) () -> pid_t = {
    guard let symbol = dlsym(nil, "gettid") else { return { 0 } }
    return unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
  }()

  /// The values are numbers, so they need no destructor.
  private let answerKey: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()
#endif
