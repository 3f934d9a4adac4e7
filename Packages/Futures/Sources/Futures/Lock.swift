internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A lock that is stored in its owner, without an allocation.
///
/// It is never held while user code runs. The lock of a sequence's progress is held while the locks of its futures are taken; no other
/// locks are held together.
struct Lock: ~Copyable, Sendable {
  #if canImport(Darwin)
    private let mutex = Mutex(())

    @inline(__always)
    func withLock<Result>(_ body: () -> Result) -> Result { mutex.withLock { _ in body() } }
  #else
    // Not a `Mutex`: on Linux, ThreadSanitizer does not see it and reports a race for everything that it guards.
    private let isLocked = Atomic(false)

    @inline(__always)
    func withLock<Result>(_ body: () -> Result) -> Result {
      while isLocked.exchange(true, ordering: .acquiring) { sched_yield() }
      defer { isLocked.store(false, ordering: .releasing) }
      return body()
    }
  #endif
}
