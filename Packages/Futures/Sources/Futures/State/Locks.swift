#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A fixed table of locks that all futures share.
///
/// The address of a future selects its lock.
///
/// A lock in each future costs memory: the budget of the benchmark `future: pending, without callbacks` is 80 bytes,
/// and a future with a `Mutex` takes 96.
///
/// No thread waits for a lock while it holds another one, and user code never runs under a lock, deinitialisers
/// included. So two futures that share a lock cannot cause a deadlock.
///
/// `@unchecked Sendable`: only the locks themselves change after the initialisation.
struct Locks: @unchecked Sendable {
  static let shared = Locks()

  private static let count = 128
  /// The distance between two locks in bytes, so that they do not share a cache line.
  private static let stride = 128

  private let table: UnsafeMutableRawPointer

  private init() {
    table = .allocate(byteCount: Self.count * Self.stride, alignment: Self.stride)
    for index in 0..<Self.count {
      let lock = (table + index * Self.stride).bindMemory(to: pthread_mutex_t.self, capacity: 1)
      lock.initialize(to: pthread_mutex_t())
      pthread_mutex_init(lock, nil)
    }
  }

  @inline(__always)
  func lock(_ address: UInt) { pthread_mutex_lock(mutex(address)) }

  @inline(__always)
  func unlock(_ address: UInt) { pthread_mutex_unlock(mutex(address)) }

  func tryLock(_ address: UInt) -> Bool { pthread_mutex_trylock(mutex(address)) == 0 }

  func isShared(_ address: UInt, _ other: UInt) -> Bool { mutex(address) == mutex(other) }

  @inline(__always)
  private func mutex(_ address: UInt) -> UnsafeMutablePointer<pthread_mutex_t> {
    // Neighbours in memory, 80 to 112 bytes apart, get different locks.
    let index = Int(truncatingIfNeeded: (address >> 4) ^ (address >> 11)) & (Self.count - 1)
    return (table + index * Self.stride).assumingMemoryBound(to: pthread_mutex_t.self)
  }
}
