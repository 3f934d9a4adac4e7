#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// How deep one thread is in callbacks that complete futures whose callbacks complete futures, and what to do when that
/// is too deep.
///
/// A completion tells its listeners before it returns, so completions in callbacks nest. Past ``limit`` levels the work
/// waits in `overflow`, and the level at the limit does it when it ends: still on this thread, and still before the
/// outermost completion returns.
///
/// There is one object for each thread that delivers; only that thread uses it, and no access lasts while foreign code runs:
/// so exclusivity need not be checked.
@usableFromInline
final class Nesting {
  /// How many levels may nest: few enough for the small stacks of pool threads.
  @usableFromInline static let limit = 48

  @usableFromInline @exclusivity(unchecked) var depth = 0
  /// The turn that this thread is handing to its context, if that context runs it at once.
  @exclusivity(unchecked) var offered: ObjectIdentifier?

  @usableFromInline @exclusivity(unchecked) var hasOverflow = false
  @exclusivity(unchecked) private var overflow: [(async: _AsyncState, first: Unmanaged<_Listener>?)] = []

  /// The listeners to let go of, while this thread is doing so.
  @exclusivity(unchecked) private var unwanted: Unmanaged<_Listener>?
  @exclusivity(unchecked) private var isLettingGo = false

  /// How many levels of handlers that cancel others this thread is in, and what waits for the deepest of them to end.
  @exclusivity(unchecked) private var cancelDepth = 0
  @exclusivity(unchecked) private var toCancel: [_AsyncState] = []

  /// What cancelled asyncs waited for, while this thread is telling.
  @exclusivity(unchecked) private var left: [(upstream: _Upstream, isCancelled: Bool)] = []
  @exclusivity(unchecked) private var isLeaving = false

  /// The state of a small generator of random numbers.
  ///
  /// By chance rather than by turns, since several asyncs take turns.
  @exclusivity(unchecked) private var chance: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// What deallocated asyncs have retained, while this thread is releasing.
  @exclusivity(unchecked) private var retained: [UInt] = []
  @exclusivity(unchecked) private var isReleasing = false

  @usableFromInline
  init() {}

  /// The calling thread's object.
  static var current: Nesting { unmanaged.takeUnretainedValue() }

  /// Does something with the calling thread's object, without retaining what the thread keeps anyway.
  static func withCurrent(_ body: (Nesting) -> Void) {
    unmanaged._withUnsafeGuaranteedRef(body)
  }

  /// The calling thread's object, which the thread keeps.
  @usableFromInline static var unmanaged: Unmanaged<Nesting> {
    if let pointer = pthread_getspecific(key) { return Unmanaged.fromOpaque(pointer) }
    let nesting = Unmanaged.passRetained(Nesting())
    pthread_setspecific(key, nesting.toOpaque())
    return nesting
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { pointer in
      let pointer: UnsafeMutableRawPointer? = pointer
      if let pointer { Unmanaged<Nesting>.fromOpaque(pointer).release() }
    }
    return key
  }()

  /// Whether another level may nest here.
  @inlinable var hasRoom: Bool { depth < Self.limit }

  /// Begins a level that runs one callback without a listener; ``leave()`` ends it.
  @inlinable
  func enter() {
    depth += 1
  }

  @inlinable
  func leave() {
    if hasOverflow { drainOverflow() }
    depth -= 1
  }

  /// Tells an async's listeners, beginning with a list that the caller took.
  func deliver(_ async: _AsyncState, first: Unmanaged<_Listener>? = nil) {
    guard hasRoom else {
      overflow.append((async, first))
      hasOverflow = true
      return
    }
    enter()
    var ready = ReadyQueue()
    async.deliver(to: first, &ready)
    drain(&ready)
    leave()
  }

  /// Lets one listener react, whose turn has come in its context.
  func react(_ listener: _Listener, to source: _AsyncState) {
    // There may be no room when this thread runs other work inside a callback. Then the overflow is left to the levels
    // below, or each overflowing turn would run inside the one before it.
    depth += 1
    var ready = ReadyQueue()
    _ = listener.reaction(listener, source, &ready, true)
    drain(&ready)
    if hasOverflow, depth <= Self.limit { drainOverflow() }
    depth -= 1
  }

  /// Lets go of the listeners in a list that will never hear anything, and of all that only they kept alive.
  ///
  /// What a listener held may let go of others: a future made from this one, a promise in a callback. Those wait in
  /// `unwanted` for the outermost call, so a chain of a million is released in constant stack.
  func letGo(of list: Unmanaged<_Listener>) {
    var last = list
    while let next = last._withUnsafeGuaranteedRef({ $0.next }) { last = next }
    last._withUnsafeGuaranteedRef { $0.next = unwanted }
    unwanted = list
    guard !isLettingGo else { return }
    isLettingGo = true
    while let entry = unwanted {
      let listener = entry.takeRetainedValue()
      unwanted = listener.next
      listener.next = nil
      listener.giveUp()
    }
    isLettingGo = false
  }

  /// Cancels an async, at once unless handlers that cancel others are nested too deep.
  func cancel(_ async: _AsyncState) {
    guard cancelDepth < Self.limit else { return toCancel.append(async) }
    cancelDepth += 1
    async.cancelNow()
    if cancelDepth == Self.limit { while let next = toCancel.popLast() { next.cancelNow() } }
    cancelDepth -= 1
  }

  /// Tells what a cancelled async waited for, and so on upwards, one after the other in constant stack.
  ///
  /// When this is called by what it tells, a cancellation inside a callback for instance, the outermost call goes on.
  func leave(_ upstream: _Upstream, isCancelled: Bool) {
    // Now, or whoever is asked first whether anybody wants something would still count this one.
    upstream.withdraw()
    left.append((upstream, isCancelled))
    guard !isLeaving else { return }
    isLeaving = true
    while let (upstream, isCancelled) = left.popLast() { upstream.leave(isCancelled: isCancelled) }
    isLeaving = false
  }

  /// How many more listeners to look at: none every other time, and at least 2ⁿ - 1 once in 2ⁿ times.
  func drawPatience() -> Int {
    chance ^= chance << 13
    chance ^= chance >> 7
    chance ^= chance << 17
    return (1 << min(chance.trailingZeroBitCount, 30)) - 1
  }

  /// Releases an object, and those that it was the last to retain, one after the other in constant stack.
  func release(_ object: UInt) {
    retained.append(object)
    guard !isReleasing else { return }
    isReleasing = true
    while let object = retained.popLast() {
      if let pointer = UnsafeRawPointer(bitPattern: object) { Unmanaged<_Upstream>.fromOpaque(pointer).release() }
    }
    isReleasing = false
  }

  private func drain(_ ready: inout ReadyQueue) {
    while let async = ready.popFirst() { async.deliver(to: nil, &ready) }
  }

  @usableFromInline
  func drainOverflow() {
    var ready = ReadyQueue()
    while let (async, first) = overflow.popLast() {
      async.deliver(to: first, &ready)
      drain(&ready)
    }
    hasOverflow = false
  }
}

/// Lets another thread run, while this one waits for a few instructions of it.
func yieldThread() {
  sched_yield()
}
