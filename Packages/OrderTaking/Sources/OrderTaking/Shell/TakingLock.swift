#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A lock that many operations share, and what only its holder may touch.
///
/// `@unchecked Sendable`: the mutex may be used from any thread, and `spareEffects` is touched only while it is held.
class TakingLock: @unchecked Sendable {
  private final let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// Room for effects that nobody uses at the moment, so that an event needs no memory of its own.
  @exclusivity(unchecked) final var spareEffects: [TakingEffect] = []

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
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
