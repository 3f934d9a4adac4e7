/// Completing an async with the result of another one.
extension _AsyncCore {
  /// Waits for another async whose result will be this one's.
  ///
  /// `reaction` must handle it.
  ///
  /// In a recursive `flatMap`, the future of each step follows the future of the next step. This would build a chain as
  /// long as the recursion. So if the only listener of this async follows it, that listener moves to `other`, and this
  /// async is detached: the chain no longer retains it. If it gets a listener again, it attaches.
  @usableFromInline
  func follow(_ other: _AsyncCore) {
    if other.hasResult { return complete(from: other) }
    preventCycle(through: other)
    other.countListener()
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

  /// Follows `other`, which counts this async already, instead of `old`, which follows `other`.
  private func move(from old: _AsyncCore, to other: _AsyncCore) {
    lock()
    let isPending = !isSettled
    if isPending { upstream = .one(other) }
    let isWanted = isPending && !currentFlags.contains(.resigned)
    unlock()
    if !isWanted {
      // This async leaves `old` too, which does not count it any more.
      old.withLock { $0.wanted += 1 }
      other.leave(stopsWork: true)
    }
    if isPending { other.register(self, isCounted: false) }
  }

  /// Stops the program if this async would wait for itself.
  func preventCycle(through other: _AsyncCore) {
    var core = other
    while core !== self {
      // Most asyncs are not followed, and then a long chain need not be searched.
      guard core !== other || isFollowed, let next = core.followed else { return }
      core = next
    }
    preconditionFailure("Cannot complete a future with itself. Complete it with another future.")
  }

  /// Whether another async may have the result of this one.
  private var isFollowed: Bool {
    withLock { core in
      var isFollowed = false
      core.listeners.forEach { isFollowed = isFollowed || $0.passesResultOn }
      return isFollowed
    }
  }

  /// The async whose result this one will have.
  private var followed: _AsyncCore? {
    guard !isSettled else { return nil }
    lock()
    defer { unlock() }
    guard currentFlags.contains(.following) else { return nil }
    if case .one(let next)? = upstream { return next }
    var source: _AsyncCore?
    listeners.forEach { source = source ?? ($0 as? CancellationHandler)?.source }
    return source
  }
}
