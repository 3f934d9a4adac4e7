#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A work list for each thread, which keeps long chains of callbacks from using the stack.
///
/// At most 32 calls of ``call(_:orLater:)`` nest on a thread. Further calls wait in the list of the thread. The deepest nested call makes
/// them before it returns, in the order in which they were added. So all calls run on the same thread, before the outermost one returns.
///
/// ```swift
/// Trampoline.call {
///   next(value)
/// } orLater: {
///   { next(value) }
/// }
/// ```
public enum Trampoline {
  /// For the small stacks of pool threads.
  @usableFromInline static let maximumDepth = 32

  /// Only its own thread uses it, and no access continues while a call runs.
  @usableFromInline
  struct WorkList {
    @usableFromInline var depth = 0
    @usableFromInline var added: [() -> Void] = []
    /// The calls that are made next, in reverse order.
    @usableFromInline var batch: [() -> Void] = []

    @usableFromInline
    init() {}

    mutating func takeFirst() -> (() -> Void)? {
      if batch.isEmpty {
        // Frees the storage, which may be large.
        if added.isEmpty {
          (added, batch) = ([], [])
        } else {
          swap(&added, &batch)
          batch.reverse()
        }
      }
      return batch.popLast()
    }
  }

  /// Runs `now` at once if fewer than 32 calls are nested on this thread; otherwise adds the closure that `later` returns to its list.
  @inlinable
  @inline(__always)
  public static func call(_ now: () -> Void, orLater later: () -> () -> Void) {
    let list = current
    guard list.pointee.depth < maximumDepth else { return list.pointee.added.append(later()) }
    list.pointee.depth += 1
    now()
    if list.pointee.depth == maximumDepth { drain() }
    list.pointee.depth -= 1
  }

  /// Makes the waiting calls of this thread now.
  ///
  /// A function that blocks the thread calls this first, because it may wait for one of these calls.
  public static func drain() {
    let list = current
    while let call = list.pointee.takeFirst() { call() }
  }

  @usableFromInline static var current: UnsafeMutablePointer<WorkList> {
    if let pointer = pthread_getspecific(key) { return pointer.assumingMemoryBound(to: WorkList.self) }
    let list = UnsafeMutablePointer<WorkList>.allocate(capacity: 1)
    list.initialize(to: WorkList())
    pthread_setspecific(key, list)
    return list
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { pointer in
      let pointer: UnsafeMutableRawPointer? = pointer
      let list = pointer?.assumingMemoryBound(to: WorkList.self)
      list?.deinitialize(count: 1)
      list?.deallocate()
    }
    return key
  }()
}
