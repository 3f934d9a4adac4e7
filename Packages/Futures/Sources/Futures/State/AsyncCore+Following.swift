/// How an async takes over the result of another one.
extension _AsyncCore {
  /// Waits for another async whose result will be this one's.
  ///
  /// `reaction` must handle it.
  ///
  /// In a recursive `flatMap`, each step's future follows the next step's, and is followed by the step before: a chain as long as
  /// the recursion, of futures that nobody holds. So if this async has one listener, which follows it, that listener moves to `other`,
  /// and this one is detached: nothing but its owners keeps it alive. If it gets a listener again, it attaches.
  @usableFromInline
  func follow(_ other: _AsyncCore) {
    if other.hasResult { return complete(from: other) }
    preventCycle(through: other)
    other.gainInterest()
    lock()
    if isSettled {
      unlock()
      return other.leave(stopsWork: true)
    }
    let previous = upstream
    upstream = .one(other)
    let hasResigned = currentFlags.contains(.resigned)
    var moving: _AsyncCore?
    if !hasResigned, wanted == 1, let follower = listeners.only, follower.isFollowing {
      moving = unsafeDowncast(follower, to: _AsyncCore.self)
      _ = listeners.popFirst()
      modify { $0.detach() }
    } else {
      modify { $0.flags.insert(.following) }
    }
    unlock()
    withExtendedLifetime(previous) {}
    if let moving {
      moving.move(from: self, to: other)
    } else {
      if hasResigned { other.leave(stopsWork: true) }
      other.register(self, isCounted: false)
    }
  }

  /// Follows another async, which counts this one already, in place of one that follows it.
  private func move(from old: _AsyncCore, to other: _AsyncCore) {
    lock()
    let isPending = !isSettled
    if isPending { upstream = .one(other) }
    let isWanted = isPending && !currentFlags.contains(.resigned)
    unlock()
    if !isWanted {
      // Whoever ended its interest tells `old`, which has counted it out already.
      old.withLock { $0.wanted += 1 }
      other.leave(stopsWork: true)
    }
    if isPending { other.register(self, isCounted: false) }
  }

  /// Stops the program if this async would have the result of one that will have its own.
  func preventCycle(through other: _AsyncCore) {
    var core = other
    while core !== self {
      // Nothing that has no listener is followed.
      guard core !== other || !withLock({ $0.listeners.isEmpty }), let next = core.followed else { return }
      core = next
    }
    preconditionFailure("Cannot complete a future with itself. Complete it with another future.")
  }

  /// The async that this one will have the result of.
  private var followed: _AsyncCore? {
    guard !isSettled else { return nil }
    lock()
    defer { unlock() }
    if currentFlags.contains(.following), case .one(let next)? = upstream { return next }
    var source: _AsyncCore?
    if currentFlags.contains(.stoppable) {
      listeners.forEach { source = source ?? ($0 as? CancellationHandler)?.source }
    }
    return source
  }
}
