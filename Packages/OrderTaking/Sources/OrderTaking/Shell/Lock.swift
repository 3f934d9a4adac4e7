#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A mutex, as a base class.
///
/// A subclass adds the variables that the mutex guards, so that one allocation contains both. It is a POSIX mutex,
/// because ThreadSanitizer does not support the one of `Synchronization`.
///
/// `@unchecked Sendable`: the mutex may be used from any thread.
package class Lock: @unchecked Sendable {
  private final let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  final func lock() { pthread_mutex_lock(mutex) }

  final func unlock() { pthread_mutex_unlock(mutex) }

  @inline(__always)
  final func withLock<Outcome>(_ body: () -> Outcome) -> Outcome {
    lock()
    defer { unlock() }
    return body()
  }
}
