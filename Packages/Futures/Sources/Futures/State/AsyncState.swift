/// The state of an async without its value and its listeners, and every transition as a pure function.
///
/// A transition changes the state and returns what its caller must do. `_AsyncCore` calls each one while it holds its
/// lock, and acts after it has released the lock.
///
/// | state | meaning |
/// |---|---|
/// | pending | no result yet; listeners wait |
/// | completed | has its result, for good |
/// | abandoned | can never be completed; the list of listeners is empty |
///
/// A pending async counts the listeners that want its result (`wanted`). A listener that is cancelled *leaves*. When
/// the last listener leaves, an async with a cancellation handler is cancelled. A derived async instead leaves its
/// upstream, but stays pending: it is `resigned` until a new listener wants its result.
struct AsyncState: Hashable, Sendable {
  struct Flags: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let completed = Flags(rawValue: 1)
    static let abandoned = Flags(rawValue: 2)
    /// Was cancelled by a caller, or because its last listener left.
    static let cancelled = Flags(rawValue: 4)
    /// Has left its upstream.
    ///
    /// A result from there is ignored until a listener wants it, unless this async is cancelled or follows the
    /// upstream.
    static let resigned = Flags(rawValue: 8)
    /// Has a handler that stops the work.
    static let stoppable = Flags(rawValue: 16)
    /// Is completed by a promise, so its own `reaction` is free for one callback.
    static let promised = Flags(rawValue: 32)
    /// Will have the result of the async that it waits for: its upstream, or the source of its handler.
    static let following = Flags(rawValue: 64)
    /// Is in no list, and must be registered again for a new listener: its only listener has moved to the async that it
    /// follows, or its upstream completed while no listener wanted its own result.
    static let detached = Flags(rawValue: 128)

    /// Whether it is completed or abandoned.
    ///
    /// Without a set literal, which an unoptimised build creates as an array: this is the most frequent question.
    var isSettled: Bool { rawValue & (Self.completed.rawValue | Self.abandoned.rawValue) != 0 }
  }

  var flags: Flags
  /// The number of listeners that want the result, now or later.
  ///
  /// Negative while a listener that already left is being registered.
  var wanted: Int32 = 0
  /// The number of listeners that have left since the last search of the list for ended listeners.
  var leaves: UInt16 = 0
  /// The binary logarithm of the number of listeners without interest in the result that the last search kept.
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

  func register() -> Registration {
    if flags.contains(.completed) { return .deliver }
    return flags.contains(.abandoned) ? .abandon : .wait
  }

  /// The effect of a new listener on the upstream.
  enum Arrival {
    case nothing
    /// Count a listener at the upstream again.
    case rejoin
    /// Register at the upstream again.
    case attach
  }

  /// Adds a listener to the list.
  ///
  /// - Parameter isCounted: Whether it wants the result and was not counted before.
  mutating func arrive(isCounted: Bool) -> Arrival {
    if isCounted { return countListener() }
    return flags.contains(.detached) ? rejoin() : .nothing
  }

  /// Counts a listener that wants the result, now or later.
  mutating func countListener() -> Arrival {
    wanted += 1
    return rejoin()
  }

  /// Returns to the upstream if this async has resigned.
  mutating func rejoin() -> Arrival {
    guard !isSettled, flags.contains(.resigned) else { return .nothing }
    if flags.contains(.detached) {
      flags.subtract([.detached, .resigned])
      return .attach
    }
    if flags.contains(.cancelled) { return .nothing }
    flags.remove(.resigned)
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
    case resign
  }

  /// Counts one listener less.
  ///
  /// - Parameter stopsWork: Whether unwanted work is stopped.
  mutating func leave(stopsWork: Bool) -> Departure {
    wanted -= 1
    guard stopsWork, wanted <= 0, !isSettled, !flags.contains(.resigned) else { return .nothing }
    if flags.contains(.stoppable) { return .cancel }
    flags.insert(.resigned)
    return .resign
  }

  /// Records an explicit cancellation; returns whether to leave the upstream, or `nil` when there is nothing to cancel.
  mutating func cancel() -> Bool? {
    guard !isSettled, !flags.contains(.cancelled) else { return nil }
    let hadResigned = flags.contains(.resigned)
    flags.formUnion([.cancelled, .resigned])
    return !hadResigned
  }

  /// Records that the only listener has moved to the upstream, so that this async need not be registered there.
  mutating func detach() {
    wanted -= 1
    flags.formUnion([.following, .resigned, .detached])
  }

  /// Records that the upstream has completed; returns whether to ignore that, because this async's result is unwanted.
  mutating func deferReaction() -> Bool {
    guard !isSettled, flags.contains(.resigned), !flags.contains(.cancelled) else { return false }
    flags.insert(.detached)
    return true
  }

  /// Whether to search the list now, after a listener has left.
  ///
  /// A search looks at every listener. It is due when as many have left as others remain, so a leave costs constant
  /// time on average, and the list is never much longer than twice what it must hold.
  mutating func shouldSweep() -> Bool {
    leaves += 1
    return leaves == .max || Int(leaves) >= max(Int(wanted), (1 << Int(keptExponent)) - 1)
  }

  mutating func didSweep(keeping count: Int) {
    leaves = 0
    let unwanting = max(0, count - max(0, Int(wanted)))
    keptExponent = UInt8(Int.bitWidth - unwanting.leadingZeroBitCount)
  }
}
