internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Whether the calling code has the main actor's place to itself: the main thread, or a thread that runs the main
/// queue.
///
/// Mostly they are the same thread. A command with an asynchronous `main` on Linux, `swift test` among them, gives up
/// its first thread and lets others run the main queue in turns; then those count, as `MainActor.assumeIsolated` counts
/// them too.
///
/// Costs a few nanoseconds on the main thread, and a look-up in the current queue elsewhere. On Linux the first answer
/// on each thread takes a system call.
///
/// ```swift
/// if isMainThread() { render() }
/// ```
public func isMainThread() -> Bool {
  isFirstThread() || DispatchQueue.getSpecific(key: mainQueueKey) != nil
}

/// Found on the main queue and on the queues that target it.
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

  /// The kernel's number of the calling thread.
  ///
  /// The module map for the C library leaves `gettid` out, so the dynamic
  /// linker is asked for it, once.
  private let threadID: @convention(c) () -> pid_t = {
    guard let symbol = dlsym(nil, "gettid") else { return { 0 } }
    return unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
  }()

  /// The slot that keeps each thread's answer.
  ///
  /// The values are small numbers, not memory, so nothing is freed.
  private let answerKey: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()
#endif
