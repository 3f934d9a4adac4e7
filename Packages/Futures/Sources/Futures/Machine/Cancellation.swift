internal import Synchronization

/// How cancellation travels upstream.
///
/// `upstream` holds what an async waits for, retained. Whoever exchanges it for something else owns that reference and
/// tells the other side: a completer exchanges it for 0, a canceller for 1, and 1 stays. So what is waited for hears of
/// it once, and cannot go away while it does. Who adds to it exchanges it for 2 for the time of that, and tells the other
/// side itself when it finds a 0 or a 1 afterwards.
extension _AsyncState {
  private static let cancelled: UInt = 1
  /// Somebody has taken out what was there, to put it back together with something new; others who add wait for it.
  private static let taken: UInt = 2

  /// Whether it was cancelled; it may be completed or not.
  final var isCancelled: Bool { upstream.load(ordering: .acquiring) == Self.cancelled }

  // MARK: What is waited for

  /// Adds a listener that waits for this one only.
  @usableFromInline
  final func register(waiting stage: _AsyncState) {
    stage.beginWaiting(for: self)
    register(stage)
  }

  /// Notes what an async that is new waits for.
  @usableFromInline
  final func beginWaiting(for source: _Upstream) {
    upstream.store(UInt(bitPattern: Unmanaged.passRetained(source).toOpaque()), ordering: .relaxed)
  }

  /// Notes what is waited for from now on; `false` when this was cancelled, which the caller then tells to `source`.
  final func wait(for source: _Upstream) -> Bool {
    let next = Unmanaged.passRetained(source)
    var current = upstream.load(ordering: .acquiring)
    while current != Self.cancelled {
      let (isDone, found) = exchangeUpstream(current, UInt(bitPattern: next.toOpaque()))
      if isDone {
        object(current)?.release()
        return true
      }
      current = found
    }
    next.release()
    return false
  }

  /// Waits for another async in place of one that was linked to it; `false` when it was cancelled or has ended.
  final func wait(for other: _AsyncState, insteadOf linked: _AsyncState) -> Bool {
    let next = Unmanaged.passRetained(other)
    let current = UInt(bitPattern: Unmanaged.passUnretained(linked).toOpaque())
    if exchangeUpstream(current, UInt(bitPattern: next.toOpaque())).exchanged {
      object(current)?.release()
      return true
    } else {
      next.release()
      return false
    }
  }

  /// Lets go of what was waited for, once the result is there or will never be.
  final func dropUpstream() {
    var current = upstream.load(ordering: .sequentiallyConsistent)
    while let found = dropUpstream(current) { current = found }
  }

  /// Lets go of what was waited for if it still is `current`, which may be nothing; says otherwise what is there now.
  @discardableResult
  final func dropUpstream(_ current: UInt) -> UInt? {
    guard current > Self.cancelled else { return nil }
    let (isDone, found) = exchangeUpstream(current, 0)
    guard isDone else { return found }
    let left = object(current)?.takeRetainedValue()
    if let left, left.isActive { Nesting.current.leave(left, isCancelled: false) }
    return nil
  }

  /// Adds something to what is waited for, and tells it at once when this was cancelled.
  final func addUpstream(_ source: _Upstream) {
    while !isSettled || isCancelled {
      let current = upstream.load(ordering: .acquiring)
      if current == Self.cancelled { return cancel(source) }
      guard current != Self.taken, exchangeUpstream(current, Self.taken).exchanged else {
        yieldThread()
        continue
      }
      // Nothing is let go of before it is put back, since that may run anything.
      let earlier = object(current)?.takeRetainedValue()
      let (all, over) = earlier.map { ManyUpstreams.joining($0, source) } ?? (source, [])
      let next = Unmanaged.passRetained(all)
      let (isDone, found) = exchangeUpstream(Self.taken, UInt(bitPattern: next.toOpaque()))
      if !isDone { next.release() }
      withExtendedLifetime((earlier, over)) {}
      if isDone {
        // Completed before it was taken out, which dropped what was there at that time.
        if isSettled { dropUpstream() }
      } else if found == Self.cancelled {
        cancel(all)
      } else if all.isActive {
        Nesting.current.leave(all, isCancelled: false)
      }
      return
    }
  }

  /// Adds a handler for the time when this is cancelled, or calls it at once when that has happened.
  final func onCancel(_ handler: @escaping @Sendable () -> Void) {
    addUpstream(CancellationHandler(handler))
  }

  private final func exchangeUpstream(_ current: UInt, _ next: UInt) -> (exchanged: Bool, original: UInt) {
    upstream.compareExchange(expected: current, desired: next, ordering: .sequentiallyConsistent)
  }

  private final func object(_ address: UInt) -> Unmanaged<_Upstream>? {
    guard address > Self.taken else { return nil }
    return UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
  }

  // MARK: Cancelling

  /// Cancels this one, and what it waits for where nobody else does.
  @usableFromInline
  final func cancelAll() {
    Nesting.current.cancel(self)
  }

  /// What `Nesting` does to cancel this one.
  final func cancelNow() {
    guard !isSettled else { return }
    let awaited = object(upstream.exchange(Self.cancelled, ordering: .sequentiallyConsistent))?.takeRetainedValue()
    awaited?.cancelWork()
    // From the end to the beginning: nothing in between may react to the cancellation of what it waits for.
    completeAsCancelled()
    if let awaited { Nesting.current.leave(awaited, isCancelled: true) }
  }

  private final func cancel(_ source: _Upstream) {
    source.cancelWork()
    Nesting.current.leave(source, isCancelled: true)
  }
}
