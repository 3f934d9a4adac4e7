internal import Synchronization

/// An async without its value: the listeners, the state, and the lock around both.
///
/// Public only because ``Async`` inherits from it, without public members. It is not generic, because generic code
/// costs more than the lock.
///
/// Each operation makes one transition of `AsyncState` under the lock, and acts on the outcome after it released the
/// lock. Callbacks, handlers, deinitialisers and operations of other asyncs never run under a lock.
///
/// `@unchecked Sendable`: the lock guards all fields. The flags are atomic and can be read without the lock. The value
/// can be read after `completed` was read.
///
/// If reads take the lock too, the benchmark `future: 10 maps, then complete` takes 19 % longer, a map of a completed
/// future 35 %, and a callback on a completed future 54 %.
public class _AsyncCore: _Listener, @unchecked Sendable {
  @exclusivity(unchecked) final var listeners = ListenerList()
  @exclusivity(unchecked) final var listenerCount: Int32 = 0
  @exclusivity(unchecked) private final var leaves: UInt16 = 0
  @exclusivity(unchecked) private final var keptExponent: UInt8 = 0
  private final let flags: Atomic<UInt8>
  #if DEBUG
    @exclusivity(unchecked) private final var origin: PromiseOrigin?
  #endif

  @usableFromInline
  enum Beginning {
    case derived
    case promised
    case completed
  }

  @usableFromInline
  init(_ beginning: Beginning, reaction: @escaping Reaction) {
    let flags: AsyncState.Flags =
      switch beginning {
      case .derived: []
      case .promised: .promised
      case .completed: .completed
      }
    self.flags = Atomic(flags.rawValue)
    super.init(reaction: reaction)
  }

  deinit {
    if !listeners.isEmpty { Trampoline.current.abandon(listeners) }
  }

  // MARK: Reading

  /// The flags; `completed` makes the value readable.
  final var currentFlags: AsyncState.Flags { .init(rawValue: flags.load(ordering: .acquiring)) }

  @usableFromInline final var hasResult: Bool { currentFlags.contains(.completed) }

  @usableFromInline final var isSettled: Bool { currentFlags.isSettled }

  final var isCancelled: Bool { currentFlags.contains(.cancelled) }

  override var hasEnded: Bool { isSettled }

  override func isUnwanted(lockedBy other: _AsyncCore) -> Bool {
    let flags = currentFlags
    guard flags.isWithoutUpstream else { return false }
    if !flags.contains(.cancelled) { return true }
    // Another thread may hold the lock, which must not be waited for under a lock: then the next search removes it.
    if sharesLock(with: other) { return self !== other && listeners.isEmpty }
    guard tryLock() else { return false }
    defer { unlock() }
    return listeners.isEmpty
  }

  override var isFollowing: Bool { currentFlags.contains(.following) && !isSettled }

  override var passesResultOn: Bool { isFollowing }

  // A promised async is a listener only of itself.
  override var feedsAnotherAsync: Bool { currentFlags.isDisjoint(with: [.promised, .completed, .abandoned]) }

  /// The async that stores this one's result: itself, or the last async in the chain that it follows.
  ///
  /// Reading this counts as a listener of that async if all its listeners have left.
  @usableFromInline final var resolved: _AsyncCore {
    let core = endOfChain
    if core.currentFlags.isWithoutUpstream { core.rejoinUpstream() }
    return core
  }

  /// The same as ``resolved``, without an effect.
  final var endOfChain: _AsyncCore {
    var core = self
    while core.isFollowing, case .one(let next)? = core.withLock({ _ in core.upstream }) { core = next }
    return core
  }

  final var registeredCount: Int {
    withLock { core in
      var count = 0
      core.listeners.forEach { _ in count += 1 }
      return count
    }
  }

  // MARK: Subclasses

  var upstream: Upstream? {
    get { nil }
    set {}
  }

  /// The type with an article, for messages: "a Future<Int, Never>".
  ///
  /// `type(of:)` would give the type of a subclass, which is not public.
  var typeText: String { "an async" }

  func complete(from upstream: _AsyncCore) {}

  func completeAsCancelled() {}

  // MARK: Completing

  /// Locks a pending async so that the caller can store the value; it must call ``endCompletion()`` next.
  ///
  /// - Returns: `false`, without the lock, when the async is settled.
  @usableFromInline
  final func beginCompletion() -> Bool {
    if isSettled { return false }
    lock()
    if !isSettled { return true }
    unlock()
    return false
  }

  /// Publishes the stored value, leaves the upstream, and calls the listeners before it returns.
  @usableFromInline
  final func endCompletion() {
    let end = settle { $0.complete() }
    unlock()
    end.leave()
    if !end.listeners.isEmpty { Trampoline.deliver(end.listeners, of: self) }
  }

  @usableFromInline
  final func abandonNow(_ origin: PromiseOrigin? = nil) {
    note(origin)
    lock()
    guard !isSettled else { return unlock() }
    let end = settle { $0.abandon() }
    unlock()
    end.leave()
    Trampoline.current.abandon(end.listeners, releasedOrigin)
  }

  final func note(_ origin: PromiseOrigin?) {
    #if DEBUG
      withLock { core in if !core.isSettled, core.origin == nil { core.origin = origin } }
    #endif
  }

  final var releasedOrigin: PromiseOrigin? {
    #if DEBUG
      withLock { core in core.origin }
    #else
      nil
    #endif
  }

  /// The work to do without the lock after an async has settled.
  private struct Settlement {
    /// Always returned, so that they are not released under the lock.
    let upstream: Upstream?
    let hasLeftUpstream: Bool
    let listeners: ListenerList

    func leave() {
      if !hasLeftUpstream { upstream?.leaveAfterCompletion() }
    }
  }

  private final func settle(_ end: (inout AsyncState) -> Bool) -> Settlement {
    let hasLeft = currentFlags.contains(.leftUpstream)
    modify { _ = end(&$0) }
    let last = currentFlags.contains(.promised) ? nil : upstream
    if last != nil { upstream = nil }
    return Settlement(upstream: last, hasLeftUpstream: hasLeft, listeners: listeners.take())
  }

  override func abandon(_ origin: PromiseOrigin?) {
    reaction = noReaction
    abandonNow(origin)
  }

  // MARK: Registering

  /// - Parameter isCounted: Whether the listener wants the result and was not counted before.
  @usableFromInline
  final func register(_ listener: _Listener, isCounted: Bool = true) {
    if !registerUnlessCompleted(listener, isCounted: isCounted) {
      var list = ListenerList()
      list.append(listener)
      Trampoline.deliver(list, of: self)
    }
  }

  @usableFromInline
  final func registerUnlessCompleted(_ listener: _Listener, isCounted: Bool = true) -> Bool {
    lock()
    let registration = snapshot.registration
    var arrival = AsyncState.Arrival.nothing
    if registration == .wait {
      arrival = modify { $0.arrive(isCounted: isCounted) }
      if listener.isWaiter { listeners.insertBehindUpstreamHandlers(listener) } else { listeners.append(listener) }
    }
    let upstream = arrival == .nothing ? nil : updateUpstream(leaving: false)
    unlock()
    if let upstream { arrive(arrival, at: upstream) }
    if registration == .abandon {
      var list = ListenerList()
      list.append(listener)
      Trampoline.current.abandon(list, releasedOrigin)
    }
    return registration != .deliver
  }

  @inline(never)  // as in `leave`
  final func countListener() {
    lock()
    let arrival = modify { $0.countListener() }
    let upstream = arrival == .nothing ? nil : updateUpstream(leaving: false)
    unlock()
    if let upstream { arrive(arrival, at: upstream) }
  }

  @inline(never)  // as in `leave`
  private final func arrive(_ arrival: AsyncState.Arrival, at upstream: Upstream) {
    Trampoline.current.join(upstream, registering: arrival == .rejoinAndRegister ? self : nil)
  }

  /// Returns to the upstream, because a caller reads the result.
  private final func rejoinUpstream() {
    lock()
    let arrival = modify { $0.rejoin() }
    let upstream = arrival == .nothing ? nil : updateUpstream(leaving: false)
    unlock()
    if let upstream { arrive(arrival, at: upstream) }
  }

  final override func deferReactionIfUnwanted(to completed: _AsyncCore, in context: ExecutionContext?) -> Bool {
    let flags = currentFlags
    guard flags.isWithoutUpstream, !flags.contains(.following) else { return false }
    return unregisterWhileUnwanted(from: completed, in: context)
  }

  final override func unregisterWhileUnwanted(from other: _AsyncCore, in context: ExecutionContext?) -> Bool {
    lock()
    let hasListeners = !listeners.isEmpty
    guard modify({ $0.unregisterWhileUnwanted(hasListeners: hasListeners) }) else {
      defer { unlock() }
      return isSettled
    }
    let previous = upstream
    if let context { upstream = .inContext(ContextUpstream(other, context)) }
    let idle = listeners.take()
    unlock()
    withExtendedLifetime(previous) {}
    // They retain this async, which would be a reference cycle.
    Trampoline.current.unregisterUnwanted(idle, from: self)
    return true
  }

  /// Makes the async its own first listener, which saves an allocation.
  ///
  /// - Parameter reaction: A function that is called once, when the result is available. It must reset `reaction` to
  ///   release its captures.
  /// - Returns: `false` if something else uses the field, or listeners wait already.
  @usableFromInline
  final func listenToItself(_ reaction: @escaping Reaction) -> Bool {
    lock()
    defer { unlock() }
    guard currentFlags == .promised, listeners.isEmpty else { return false }
    self.reaction = reaction
    modify { _ = $0.countListener() }
    listeners.append(self)
    return true
  }

  // MARK: The lock

  private final var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

  final func lock() { Locks.shared.lock(address) }

  final func unlock() { Locks.shared.unlock(address) }

  private final func tryLock() -> Bool { Locks.shared.tryLock(address) }

  private final func sharesLock(with other: _AsyncCore) -> Bool { Locks.shared.isShared(address, other.address) }

  final func withLock<Result>(_ body: (_AsyncCore) -> Result) -> Result {
    lock()
    defer { unlock() }
    return body(self)
  }

  // The fields are stored separately, because the flags are atomic and fill the gaps between other fields.
  private final var snapshot: AsyncState {
    AsyncState(flags: currentFlags, listenerCount: listenerCount, leaves: leaves, keptExponent: keptExponent)
  }

  @discardableResult
  final func modify<Outcome>(_ transition: (inout AsyncState) -> Outcome) -> Outcome {
    var state = snapshot
    let outcome = transition(&state)
    listenerCount = state.listenerCount
    leaves = state.leaves
    keptExponent = state.keptExponent
    flags.store(state.flags.rawValue, ordering: .releasing)
    return outcome
  }
}
