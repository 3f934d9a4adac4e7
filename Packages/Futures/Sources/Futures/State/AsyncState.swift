/// The state of an async without its value and its listeners.
///
/// Each transition is a mutating function, which changes only this value and returns what its caller must do.
/// `_AsyncCore` calls it while it holds its lock, and acts after it has released the lock.
///
/// | state | flags | meaning |
/// |---|---|---|
/// | waiting | no flag below | no result yet; its upstream counts it as a listener |
/// | without upstream | `leftUpstream` | its last listener has left; it ignores its upstream until a new listener registers |
/// | unregistered | `leftUpstream`, `unregistered` | the same, and must be registered at its upstream again |
/// | cancelled | `cancelled`, `leftUpstream` | its work was asked to stop; the next result completes it, if it has a listener |
/// | completed | `completed` | has its result, for good |
/// | abandoned | `abandoned` | can never be completed; the list of listeners is empty |
///
/// A listener that is cancelled *leaves*. When the last listener leaves, an async with a cancellation handler is
/// cancelled. Any other async leaves its upstream, but stays pending.
struct AsyncState: Hashable, Sendable {
  struct Flags: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let completed = Flags(rawValue: 1)
    static let abandoned = Flags(rawValue: 2)
    /// A caller cancelled it, or its last listener left.
    static let cancelled = Flags(rawValue: 4)
    /// Its upstream does not count it as a listener.
    ///
    /// The result of the upstream is ignored until a listener wants it, unless this async follows the upstream, or is
    /// cancelled and has a listener.
    static let leftUpstream = Flags(rawValue: 8)
    /// Has a handler that stops the work.
    static let stoppable = Flags(rawValue: 16)
    /// Is completed by a promise, so its own `reaction` is free for one callback.
    static let promised = Flags(rawValue: 32)
    /// Will have the result of its upstream.
    static let following = Flags(rawValue: 64)
    /// Is not in the list of its upstream, and must be registered there again for a new listener.
    ///
    /// The reason: its only listener has moved to the async that it follows, or its upstream was completed while no
    /// listener wanted its own result.
    static let unregistered = Flags(rawValue: 128)

    /// Whether it is completed or abandoned.
    ///
    /// Without a set literal, which an unoptimised build creates as an array: this is the most frequent question.
    var isSettled: Bool { rawValue & (Self.completed.rawValue | Self.abandoned.rawValue) != 0 }

    /// Whether it is pending, and its upstream does not count it.
    var isWithoutUpstream: Bool { contains(.leftUpstream) && !isSettled }
  }

  var flags: Flags
  /// The number of listeners that want the result, registered or about to be registered.
  ///
  /// It is negative after a listener has left before its registration was counted.
  var listenerCount: Int32 = 0
  /// The number of listeners that have left since the last search of the list for ended listeners.
  var leaves: UInt16 = 0
  /// The binary logarithm of the number of listeners that the last search kept although they do not count.
  var keptExponent: UInt8 = 0

  var isSettled: Bool { flags.isSettled }

  enum Registration {
    /// Add the listener to the list.
    case wait
    /// Call the listener.
    case deliver
    /// Abandon the listener: the async cannot complete.
    case abandon
  }

  /// The action for a new listener.
  var registration: Registration {
    if flags.contains(.completed) { return .deliver }
    return flags.contains(.abandoned) ? .abandon : .wait
  }

  /// The effect of a new listener on the upstream.
  enum Arrival {
    case nothing
    /// Count a listener at the upstream again.
    case rejoin
    /// Count a listener at the upstream again, and register this async there.
    case rejoinAndRegister
  }

  /// Adds a listener to the list.
  ///
  /// - Parameter isCounted: Whether it wants the result and was not counted before.
  mutating func arrive(isCounted: Bool) -> Arrival {
    if isCounted { return countListener() }
    return flags.contains(.unregistered) ? rejoin() : .nothing
  }

  /// Counts a listener that wants the result, now or later.
  mutating func countListener() -> Arrival {
    listenerCount += 1
    return rejoin()
  }

  /// Returns to the upstream if this async has left it.
  mutating func rejoin() -> Arrival {
    guard !isSettled, flags.contains(.leftUpstream) else { return .nothing }
    if flags.contains(.unregistered) {
      flags.subtract([.unregistered, .leftUpstream])
      return .rejoinAndRegister
    }
    if flags.contains(.cancelled) { return .nothing }
    flags.remove(.leftUpstream)
    return .rejoin
  }

  /// Records the result; returns whether this was the first.
  ///
  /// The caller stores the value and takes the list.
  mutating func complete() -> Bool {
    guard !isSettled else { return false }
    flags.insert(.completed)
    return true
  }

  /// Records that the async cannot complete; returns whether the caller must release the list.
  mutating func abandon() -> Bool {
    guard !isSettled else { return false }
    flags.insert(.abandoned)
    return true
  }

  enum Departure {
    case nothing
    /// Cancel this async: its work is unwanted.
    case cancel
    /// Leave the upstream: the result is unwanted.
    case leaveUpstream
  }

  /// Decrements the number of listeners.
  ///
  /// - Parameter stopsWork: Whether work without another listener is stopped.
  mutating func leave(stopsWork: Bool) -> Departure {
    listenerCount -= 1
    guard stopsWork, listenerCount <= 0, !isSettled, !flags.contains(.leftUpstream) else { return .nothing }
    if flags.contains(.stoppable) { return .cancel }
    flags.insert(.leftUpstream)
    return .leaveUpstream
  }

  /// Counts a listener that was moved away with ``bypass()``, and that leaves now.
  mutating func recount() {
    listenerCount += 1
  }

  /// Records an explicit cancellation; returns whether to leave the upstream, or `nil` when there is nothing to cancel.
  mutating func cancel() -> Bool? {
    let hadLeft = flags.contains(.leftUpstream)
    guard !isSettled, !flags.contains(.cancelled) || !hadLeft else { return nil }
    flags.formUnion([.cancelled, .leftUpstream])
    return !hadLeft
  }

  enum HandlerAddition {
    /// Add the handler to the list.
    case keep
    /// Add the handler to the list, and leave its upstream.
    case keepAndLeave
    /// Call the handler: the async was cancelled.
    case cancelWork
    /// Notify the handler: the async is settled.
    case notify
  }

  /// Records a new cancellation handler.
  ///
  /// - Parameter added: The flags that the handler sets.
  mutating func addHandler(setting added: Flags) -> HandlerAddition {
    // A cancelled async can still get the result of another one, and a search for cycles needs that handler.
    if flags.contains(.cancelled), isSettled || !added.contains(.following) { return .cancelWork }
    if isSettled { return .notify }
    flags.formUnion(added)
    return flags.contains(.leftUpstream) ? .keepAndLeave : .keep
  }

  /// Records that this async is work that can be stopped.
  mutating func makeStoppable() {
    flags.insert(.stoppable)
  }

  /// Records that this async will have the result of its upstream.
  mutating func follow() {
    flags.insert(.following)
  }

  /// Records the same as ``follow()``, and that the only listener has moved to the upstream, so that this async need
  /// not be registered there.
  mutating func bypass() {
    listenerCount -= 1
    flags.formUnion([.following, .leftUpstream, .unregistered])
  }

  /// Records that this async is not in the list of its upstream, if its result is unwanted; returns whether it is.
  ///
  /// - Parameter hasListeners: Whether the list contains a listener, also one that does not count.
  mutating func unregisterWhileUnwanted(hasListeners: Bool) -> Bool {
    guard !isSettled, flags.contains(.leftUpstream), !flags.contains(.cancelled) || !hasListeners else { return false }
    flags.insert(.unregistered)
    return true
  }

  /// Whether to search the list now, after a listener has left.
  ///
  /// A search looks at every listener. It is due when as many have left as remain. So a departure costs constant time
  /// on average, and at most about half of the list is unnecessary.
  mutating func shouldSweep() -> Bool {
    leaves += 1
    return leaves == .max || Int(leaves) >= max(Int(listenerCount), (1 << Int(keptExponent)) - 1)
  }

  mutating func didSweep(keeping count: Int) {
    leaves = 0
    let uncounted = max(0, count - max(0, Int(listenerCount)))
    keptExponent = UInt8(Int.bitWidth - uncounted.leadingZeroBitCount)
  }
}
