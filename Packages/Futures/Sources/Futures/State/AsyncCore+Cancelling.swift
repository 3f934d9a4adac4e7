extension _AsyncCore {
  @inline(never)  // Inlining it into its many callers would enlarge the programs of users.
  package func leave(stopsWork: Bool) {
    lock()
    guard !isSettled else { return unlock() }
    let departure = modify { $0.leave(stopsWork: stopsWork) }
    let upstream = departure == .leaveUpstream ? updateUpstream(leaving: true) : nil
    // They retain this one, and would keep it in the list of its upstream.
    let removed = sweepIfNeeded(removesUnwanted: upstream != nil)
    unlock()
    release(removed)
    if departure == .cancel { Trampoline.current.cancelUnwanted(self) }
    if let upstream { Trampoline.current.leave(upstream) }
  }

  func dropEndedListener() {
    lock()
    let removed = sweepIfNeeded()
    unlock()
    release(removed)
  }

  private func sweepIfNeeded(removesUnwanted: Bool = false) -> ListenerList.Sweep {
    guard modify({ $0.shouldSweep() }) else { return ListenerList.Sweep() }
    let (removed, kept) = listeners.sweep(of: self, removesUnwanted: removesUnwanted)
    modify { $0.didSweep(keeping: kept) }
    return removed
  }

  private func release(_ removed: ListenerList.Sweep) {
    Trampoline.current.abandon(removed.dropped)
    Trampoline.current.unregisterUnwanted(removed.unwanted, from: self)
  }

  @inline(never)  // as in `leave`
  func cancelNow() {
    lock()
    guard let leavesUpstream = modify({ $0.cancel() }) else { return unlock() }
    let left = leavesUpstream ? updateUpstream(leaving: true) : nil
    var handlers: [WorkHandler] = []
    if currentFlags.contains(.stoppable) {
      listeners.forEach { if let handler = $0 as? WorkHandler { handlers.append(handler) } }
    }
    unlock()
    for handler in handlers { handler.cancelWork() }
    // Before the upstream, so that no transform in between reacts to its cancellation.
    completeAsCancelled()
    if let left { Trampoline.current.leave(left) }
  }

  func addHandler(_ handler: CancellationHandler) {
    lock()
    let addition = modify { $0.addHandler(setting: handler.ownerFlags) }
    var removed = ListenerList.Sweep()
    let left = addition == .keepAndLeave ? handler.leaveUpstream() : nil
    if addition == .keep || addition == .keepAndLeave {
      removed = sweepIfNeeded()
      // First, for `updateUpstream`.
      if handler is UpstreamHandler { listeners.prepend(handler) } else { listeners.append(handler) }
    }
    unlock()
    release(removed)
    if addition == .cancelWork { handler.cancelWork() }
    if addition == .notify { handler.ownerHasSettled() }
    left?.leave(stopsWork: true)
  }

  func makeStoppable() {
    withLock { core in core.modify { $0.makeStoppable() } }
  }

  /// Called under the lock.
  func updateUpstream(leaving: Bool) -> Upstream? {
    guard currentFlags.isSuperset(of: [.promised, .following]) else { return upstream }
    var changed: [_AsyncCore] = []
    // They are at the beginning of the list, which can be long.
    listeners.visit(while: { listener in
      guard let handler = listener as? UpstreamHandler else { return false }
      if let upstream = leaving ? handler.leaveUpstream() : handler.joinUpstream() { changed.append(upstream) }
      return true
    })
    return .all(changed)
  }
}
