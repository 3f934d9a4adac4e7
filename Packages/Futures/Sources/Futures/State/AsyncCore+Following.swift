extension _AsyncCore {
  /// Waits for another async, and takes its result.
  ///
  /// In a recursive `flatMap`, the future of each step follows the future of the next step. This would build a chain as
  /// long as the recursion. If the only listener of this async follows it, the listener moves to `other`. The chain
  /// then no longer retains this async. If it gets a listener again, it registers at `other`.
  @usableFromInline
  func follow(_ other: _AsyncCore) {
    if other.hasResult { return complete(from: other) }
    other.countListener()
    lock()
    if isSettled {
      unlock()
      return other.leave(stopsWork: true)
    }
    let previous = upstream
    upstream = .one(other)
    let hasLeft = currentFlags.contains(.leftUpstream)
    var moving: _AsyncCore?
    if !hasLeft, listenerCount == 1, let follower = listeners.only, follower.isFollowing {
      moving = unsafeDowncast(follower, to: _AsyncCore.self)
      _ = listeners.popFirst()
      modify { $0.bypass() }
    } else {
      modify { $0.follow() }
    }
    unlock()
    withExtendedLifetime(previous) {}
    if let moving {
      moving.move(from: self, to: other)
    } else {
      if hasLeft { other.leave(stopsWork: true) }
      other.register(self, isCounted: false)
    }
    (moving ?? self).stopAtCycle(through: other)
  }

  /// The caller must not use the state of the reaction after this call, unless it returns `false`.
  ///
  /// - Returns: Whether this async waits. If it is settled, the reaction does not run again.
  func replaceUpstream(with other: _AsyncCore) -> Bool {
    other.countListener()
    lock()
    let (isPending, hasLeft) = (!isSettled, currentFlags.contains(.leftUpstream))
    let previous = isPending ? upstream : nil
    if isPending { upstream = .one(other) }
    unlock()
    withExtendedLifetime(previous) {}
    if !isPending || hasLeft { other.leave(stopsWork: true) }
    guard isPending else { return false }
    other.register(self, isCounted: false)
    // Alarms and most attempts have no upstream. Then a search would only visit all listeners.
    if other === self || other.onlyUpstream != nil { stopAtCycle(through: other) }
    return true
  }

  /// Replaces `old` by `other`, which `old` follows.
  ///
  /// `other` already counts this async.
  private func move(from old: _AsyncCore, to other: _AsyncCore) {
    lock()
    let isPending = !isSettled
    if isPending { upstream = .one(other) }
    let isWanted = isPending && !currentFlags.contains(.leftUpstream)
    unlock()
    if !isWanted {
      // This async leaves `old` too, which does not count it any more.
      old.withLock { core in core.modify { $0.recount() } }
      other.leave(stopsWork: true)
    }
    if isPending { other.register(self, isCounted: false) }
  }

  /// Stops the program if this async waits for itself, through another async at which it has just registered.
  ///
  /// The search follows the registration: of two threads that close a cycle at the same time, the later one finds it.
  ///
  /// A chain of asyncs that follow each other is searched to its end. A chain of derived asyncs is searched up to
  /// ``maximumDerivations`` steps.
  func stopAtCycle(through other: _AsyncCore, _ origin: PromiseOrigin? = nil) {
    // Late completions are ignored.
    guard !isSettled else { return }
    if other === self { failBecauseOfCycle(origin) }
    // For most asyncs the search ends here.
    let (isFollowed, feedsAnother) = uses
    guard isFollowed || feedsAnother else { return }
    var (core, derivations) = (other, 0)
    while let next = core.onlyUpstream {
      if !isFollowed || !next.isFollowed { derivations += 1 }
      if derivations > Self.maximumDerivations { return }
      core = next.core
      if core === self { failBecauseOfCycle(origin) }
    }
  }

  private static var maximumDerivations: Int { 32 }

  private func failBecauseOfCycle(_ origin: PromiseOrigin?) -> Never {
    let target = origin.map { "the promise created at \($0.place)" } ?? "it"
    fatalError(
      "Cannot complete \(typeText) with itself: it would wait for its own result. "
        + "Complete \(target) with another future.")
  }

  private var uses: (isFollowed: Bool, feedsAnother: Bool) {
    withLock { core in
      var (isFollowed, feedsAnother) = (false, false)
      // A promised async with a handler is in its own list.
      core.listeners.forEach { listener in
        guard listener !== core else { return }
        isFollowed = isFollowed || listener.passesResultOn
        feedsAnother = feedsAnother || listener.feedsAnotherAsync
      }
      return (isFollowed, feedsAnother)
    }
  }

  private var onlyUpstream: (core: _AsyncCore, isFollowed: Bool)? {
    guard !isSettled else { return nil }
    lock()
    defer { unlock() }
    let isFollowing = currentFlags.contains(.following)
    switch upstream {
    case .one(let next)?: return (next, isFollowing)
    case .inContext(let next)?: return (next.core, false)
    case .all?, .race?: return nil
    case nil: break
    }
    guard isFollowing else { return nil }
    var followed: _AsyncCore?
    listeners.forEach { followed = followed ?? ($0 as? CancellationHandler)?.followedUpstream }
    return followed.map { ($0, true) }
  }
}
