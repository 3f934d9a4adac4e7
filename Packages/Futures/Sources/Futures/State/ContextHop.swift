internal import Synchronization

/// Stands in for a listener with a context, and runs it in that context when the result is available.
///
/// The context may run the work at once, later, on another thread, twice, or never. A second run is ignored. If the
/// context drops the work, the listener is abandoned.
///
/// `@unchecked Sendable`: `context` and `upstream` are written by the thread that delivers, before the context gets the
/// work.
final class ContextHop: _Listener, @unchecked Sendable {
  private var listener: _Listener
  private var context: ExecutionContext?
  private var upstream: _AsyncCore?
  private let hasRun = Atomic(false)

  init(_ listener: _Listener, in context: @escaping ExecutionContext) {
    self.listener = listener
    self.context = context
    super.init { hop, upstream, _ in
      unsafeDowncast(hop, to: ContextHop.self).handOver(upstream)
      return true
    }
  }

  deinit {
    if !hasRun.load(ordering: .acquiring) { listener.abandon(nil) }
  }

  override var hasEnded: Bool { listener.hasEnded }
  override func isUnwanted(lockedBy other: _AsyncCore) -> Bool { listener.isUnwanted(lockedBy: other) }
  override var feedsAnotherAsync: Bool { listener.feedsAnotherAsync }
  override var isOnlyOwner: Bool { isKnownUniquelyReferenced(&listener) }

  override func deferReactionIfUnwanted(to completed: _AsyncCore, in context: ExecutionContext?) -> Bool {
    guard listener.deferReactionIfUnwanted(to: completed, in: self.context) else { return false }
    hasRun.store(true, ordering: .releasing)
    return true
  }

  override func unregisterWhileUnwanted(from other: _AsyncCore, in context: ExecutionContext?) -> Bool {
    guard hasEnded || listener.unregisterWhileUnwanted(from: other, in: self.context) else { return false }
    hasRun.store(true, ordering: .releasing)
    return true
  }

  override func abandon(_ origin: PromiseOrigin?) {
    if !hasRun.exchange(true, ordering: .acquiringAndReleasing) { listener.abandon(origin) }
  }

  private func handOver(_ upstream: _AsyncCore) {
    // A context that keeps its work would otherwise be a reference cycle.
    let context = context
    self.context = nil
    if listener.reaction(listener, upstream, false) { return hasRun.store(true, ordering: .releasing) }
    self.upstream = upstream
    context? { self.run() }
  }

  private func run() {
    guard !hasRun.exchange(true, ordering: .acquiringAndReleasing), let upstream else { return }
    _ = listener.reaction(listener, upstream, true)
  }
}
