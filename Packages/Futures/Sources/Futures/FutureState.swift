/// The state of a future without its value.
///
/// Each transition changes only this value and the fields of links that the same lock guards, and returns what its caller must do without
/// the lock.
///
/// A future is *wanted* until its last listener leaves or it is cancelled, and again when a new listener registers. Its sources count it
/// only while it is wanted. An unwanted future with a cancellation handler is cancelled. A future is *held* while it is new or has
/// listeners, wanting ones or not. Only while it is held, its links are in the lists of its sources.
struct FutureState {
  enum Phase {
    case pending
    /// Cancelled. Its handlers are called later, and until then no other result counts.
    case deferringHandlers
    /// Cancelled. Its handlers are called, and can complete it.
    case callingHandlers
    case completed
    /// Nothing is left that can complete it.
    case abandoned
  }

  enum Action {
    case nothing
    case deliver(Listener)
    case cancel
    case adjust(Links, Change)
  }

  /// A change of the interest in the sources.
  ///
  /// Both are differences, so that changes of several threads can be applied in any order.
  struct Change {
    var wants: Int32 = 0
    var holds: Int32 = 0
  }

  /// The interest of the listeners in further work.
  enum Demand {
    case wanted
    /// The future was cancelled, or its listeners only wait for the work to end.
    case ended
    /// Everyone has left. A new listener may come.
    case left
  }

  struct Settlement {
    var listeners: ListenerList
    let links: Links
    let isCancelled: Bool
    let stopsSources: Bool
    /// Returned so that they are not released under the lock.
    let handlers: [@Sendable () -> Void]
  }

  private(set) var phase: Phase
  /// Whether it was cancelled, and not completed in another way since.
  private(set) var isCancelled = false
  /// Whether the sources stop when the future is completed without them.
  private let stopsSources: Bool
  /// Whether it has a listener that wants the result, or is new, and was not cancelled.
  private(set) var isWanted = true
  private var isHeld = true
  /// Whether it is wanted without listeners: none has left yet, or the last one left it to continue.
  private var continuesAlone = true
  /// The number of promises, scopes and links that can complete the future.
  var completers: Int32
  /// The number of listeners that want the result.
  private var interest: Int32 = 0
  private var listeners = ListenerList()
  var links = Links()
  private var handlers: [@Sendable () -> Void] = []
  /// The last promise that was released before it completed this future or a source of it.
  private(set) var origin: PromiseOrigin?

  init(completers: Int32, isCompleted: Bool, stopsSources: Bool) {
    self.completers = completers
    self.stopsSources = stopsSources
    phase = isCompleted ? .completed : .pending
  }

  var isSettled: Bool { phase == .completed || phase == .abandoned }

  /// Whether a result counts.
  var isOpen: Bool { phase == .pending || phase == .callingHandlers }

  var demand: Demand { isWanted ? .wanted : isCancelled || isHeld ? .ended : .left }

  // MARK: Completing

  mutating func settle(as phase: Phase) -> Settlement {
    let isCancelling = self.phase == .callingHandlers
    self.phase = phase
    defer { (handlers, isCancelled) = ([], isCancelling) }
    return Settlement(
      listeners: listeners.take(), links: links.take(), isCancelled: isCancelled,
      stopsSources: stopsSources || isCancelled, handlers: handlers)
  }

  mutating func endCompleter(_ origin: PromiseOrigin?) -> Settlement? {
    completers -= 1
    guard isOpen else { return nil }
    if let origin { self.origin = origin }
    return completers == 0 ? settle(as: .abandoned) : nil
  }

  // MARK: Listeners

  mutating func add(_ listener: Listener) -> Action {
    guard !isSettled else { return .deliver(listener) }
    listeners.append(listener)
    interest += 1
    return updateSources()
  }

  mutating func leave(_ listener: Listener, removing: Bool) -> Action {
    guard !isSettled, listener.position != nil else { return .nothing }
    if removing { listeners.remove(listener) }
    guard listener.wants > 0 else { return updateSources() }
    listener.wants = 0
    interest -= 1
    return afterDeparture()
  }

  private mutating func afterDeparture() -> Action {
    guard interest == 0 else { return updateSources() }
    continuesAlone = false
    return handlers.isEmpty || isCancelled ? updateSources() : .cancel
  }

  mutating func updateSources() -> Action {
    let wasWanted = isWanted
    let wasHeld = isHeld
    isWanted = !isCancelled && (continuesAlone || interest > 0)
    isHeld = continuesAlone || !listeners.isEmpty
    let change = Change(
      wants: (isWanted ? 1 : 0) - (wasWanted ? 1 : 0), holds: (isHeld ? 1 : 0) - (wasHeld ? 1 : 0))
    guard change.wants != 0 || change.holds != 0, !links.isEmpty else { return .nothing }
    return .adjust(links, change)
  }

  // MARK: Sources

  /// Counts the link as a completer.
  mutating func insert(_ link: Link) {
    completers += 1
    guard !isSettled else {
      (link.isClosed, link.stopsSource) = (true, stopsSources || isCancelled)
      return
    }
    (link.wants, link.holds) = (isWanted ? 1 : 0, isHeld ? 1 : 0)
    if link.holds == 0 { link.target = nil }
    links.insert(link)
  }

  // MARK: Targets

  mutating func connect(_ link: Link) -> Action {
    link.isRegistered = true
    if link.isClosed { return link.stopsSource && !isSettled ? afterDeparture() : .nothing }
    guard !isSettled else { return .deliver(link) }
    if link.holds > 0 { listeners.append(link) }
    guard link.isWanting else { return afterDeparture() }
    interest += 1
    return updateSources()
  }

  mutating func disconnect(_ link: Link, stopsWork: Bool) -> Action {
    guard !link.isClosed else { return .nothing }
    (link.isClosed, link.stopsSource) = (true, stopsWork)
    // The caller is the target, so it is not released under the lock.
    link.target = nil
    guard link.isRegistered, !isSettled else { return .nothing }
    listeners.remove(link)
    guard link.isWanting else { return updateSources() }
    interest -= 1
    if stopsWork { return afterDeparture() }
    if interest == 0 { continuesAlone = true }
    return .nothing
  }

  mutating func adjust(_ link: Link, by change: Change, of target: AnyFutureCore) -> Action {
    guard !link.isClosed else { return .nothing }
    let (wanted, held) = (link.isWanting, link.holds > 0)
    link.wants += change.wants
    link.holds += change.holds
    let (wants, holds) = (link.isWanting, link.holds > 0)
    // The target is retained by the caller, so it is not released under the lock.
    link.target = holds ? target : nil
    guard link.isRegistered else { return .nothing }
    guard !isSettled else { return held ? .nothing : .deliver(link) }
    if holds, !held { listeners.append(link) }
    if !holds, held { listeners.remove(link) }
    if wants != wanted { interest += wants ? 1 : -1 }
    return wanted && !wants ? afterDeparture() : updateSources()
  }

  // MARK: Cancelling

  /// Returns whether there is something to cancel.
  mutating func cancel() -> Bool {
    guard !isSettled, !isCancelled else { return false }
    (isCancelled, continuesAlone) = (true, false)
    return true
  }

  mutating func continueCancellation(in phase: Phase) -> [@Sendable () -> Void] {
    if !isSettled { self.phase = phase }
    return handlers
  }

  mutating func endCancellation() -> Action {
    guard !isSettled else { return .nothing }
    phase = .pending
    return updateSources()
  }

  mutating func addHandler(_ handler: @escaping @Sendable () -> Void) -> (callsNow: Bool, Action) {
    if isCancelled { return (true, .nothing) }
    guard !isSettled else { return (false, .nothing) }
    handlers.append(handler)
    return (false, isWanted ? .nothing : .cancel)
  }
}
