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
    static let cancelled = Flags(rawValue: 4)
    /// Its upstream does not count it as a listener.
    ///
    /// The result of the upstream is ignored until a listener wants it, unless this async follows the upstream, or is
    /// cancelled and has a listener.
    static let leftUpstream = Flags(rawValue: 8)
    static let stoppable = Flags(rawValue: 16)
    /// Is completed by a promise, so its own `reaction` is free for one callback.
    static let promised = Flags(rawValue: 32)
    static let following = Flags(rawValue: 64)
    /// Is not in the list of its upstream, and must be registered there again for a new listener.
    ///
    /// Its only listener has moved to the async that it follows, or its upstream was completed while no listener wanted
    /// the result.
    static let unregistered = Flags(rawValue: 128)

    /// It uses no set literal, because an unoptimised build creates an array for it, and this property is read most
    /// often.
    var isSettled: Bool { rawValue & (Self.completed.rawValue | Self.abandoned.rawValue) != 0 }

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
    case wait
    case deliver
    case abandon
  }

  var registration: Registration {
    if flags.contains(.completed) { return .deliver }
    return flags.contains(.abandoned) ? .abandon : .wait
  }

  enum Arrival {
    case nothing
    case rejoin
    case rejoinAndRegister
  }

  mutating func arrive(isCounted: Bool) -> Arrival {
    if isCounted { return countListener() }
    return flags.contains(.unregistered) ? rejoin() : .nothing
  }

  mutating func countListener() -> Arrival {
    listenerCount += 1
    return rejoin()
  }

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

  /// The caller stores the value and takes the list.
  mutating func complete() -> Bool {
    guard !isSettled else { return false }
    flags.insert(.completed)
    return true
  }

  mutating func abandon() -> Bool {
    guard !isSettled else { return false }
    flags.insert(.abandoned)
    return true
  }

  enum Departure {
    case nothing
    case cancel
    case leaveUpstream
  }

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

  mutating func cancel() -> Bool? {
    let hadLeft = flags.contains(.leftUpstream)
    guard !isSettled, !flags.contains(.cancelled) || !hadLeft else { return nil }
    flags.formUnion([.cancelled, .leftUpstream])
    return !hadLeft
  }

  enum HandlerAddition {
    case keep
    case keepAndLeave
    case cancelWork
    case notify
  }

  mutating func addHandler(setting added: Flags) -> HandlerAddition {
    // A cancelled async can still get the result of another one, and a search for cycles needs that handler.
    if flags.contains(.cancelled), isSettled || !added.contains(.following) { return .cancelWork }
    if isSettled { return .notify }
    flags.formUnion(added)
    return flags.contains(.leftUpstream) ? .keepAndLeave : .keep
  }

  mutating func makeStoppable() {
    flags.insert(.stoppable)
  }

  mutating func follow() {
    flags.insert(.following)
  }

  /// Like ``follow()``.
  ///
  /// The only listener has moved to the upstream, so this async need not be registered there.
  mutating func bypass() {
    listenerCount -= 1
    flags.formUnion([.following, .leftUpstream, .unregistered])
  }

  mutating func unregisterWhileUnwanted(hasListeners: Bool) -> Bool {
    guard !isSettled, flags.contains(.leftUpstream), !flags.contains(.cancelled) || !hasListeners else { return false }
    flags.insert(.unregistered)
    return true
  }

  /// A search looks at every listener.
  ///
  /// It is due when as many have left as remain. So a departure costs constant time on average, and at most about half
  /// of the list is unnecessary.
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
