/// The state of an async without its value.
///
/// Each transition changes only this value and the fields of links that the same lock guards. It returns what its caller must do
/// without the lock.
///
/// An async is *wanted* until its last listener leaves or it is cancelled, and again when a new listener registers. Its sources count it
/// only while it is wanted. An unwanted async with a cancellation handler is cancelled. An async is *held* while it is new or has
/// listeners, wanting ones or not. Only while it is held, its links are in the lists of its sources.
struct AsyncState {
  enum Phase {
    case pending
    case completed
    /// Nothing is left that can complete it.
    case abandoned
  }

  enum Action {
    case nothing
    case deliver(_Listener)
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
    /// The async was cancelled, or its listeners only wait for the work to end.
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
  private(set) var isCancelled = false
  /// Whether the sources stop when the async is completed without them.
  private let stopsSources: Bool
  /// Whether it has a listener that wants the result, or is new, and was not cancelled.
  private(set) var isWanted = true
  private var isHeld = true
  /// Whether no listener has left yet; a new async is wanted before it has listeners.
  private var isNew = true
  /// The number of promises, scopes and links that can complete the async.
  var completers: Int32
  /// The number of listeners that want the result.
  private var interest: Int32 = 0
  private var listeners = ListenerList()
  var links = Links()
  private var handlers: [@Sendable () -> Void] = []
  /// The last promise that was released before it completed this async or a source of it.
  private(set) var origin: PromiseOrigin?

  init(completers: Int32, isCompleted: Bool, stopsSources: Bool) {
    self.completers = completers
    self.stopsSources = stopsSources
    phase = isCompleted ? .completed : .pending
  }

  var isSettled: Bool { phase != .pending }

  var demand: Demand { isWanted ? .wanted : isCancelled || isHeld ? .ended : .left }

  // MARK: Completing

  mutating func settle(as phase: Phase) -> Settlement {
    self.phase = phase
    defer { handlers = [] }
    return Settlement(
      listeners: listeners.take(), links: links.take(), isCancelled: isCancelled,
      stopsSources: stopsSources || isCancelled, handlers: handlers)
  }

  mutating func endCompleter(_ origin: PromiseOrigin?) -> Settlement? {
    completers -= 1
    guard !isSettled else { return nil }
    if let origin { self.origin = origin }
    return completers == 0 ? settle(as: .abandoned) : nil
  }

  // MARK: Listeners

  mutating func add(_ listener: _Listener) -> Action {
    guard !isSettled else { return .deliver(listener) }
    listeners.append(listener)
    interest += 1
    return updateSources()
  }

  mutating func leave(_ listener: _Listener, removing: Bool) -> Action {
    guard !isSettled, listener.position != nil else { return .nothing }
    if removing { listeners.remove(listener) }
    guard listener.wants > 0 else { return updateSources() }
    listener.wants = 0
    interest -= 1
    return afterDeparture()
  }

  private mutating func afterDeparture() -> Action {
    guard interest == 0 else { return updateSources() }
    isNew = false
    return handlers.isEmpty || isCancelled ? updateSources() : .cancel
  }

  /// Compares the interest in the sources with the interest in this async.
  mutating func updateSources() -> Action {
    let wasWanted = isWanted
    let wasHeld = isHeld
    isWanted = !isCancelled && (isNew || interest > 0)
    isHeld = isNew || !listeners.isEmpty
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
    guard !isSettled else { return link.holds > 0 ? .deliver(link) : .nothing }
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
    return stopsWork ? afterDeparture() : .nothing
  }

  mutating func adjust(_ link: Link, by change: Change, of target: _AsyncCore) -> Action {
    guard !link.isClosed else { return .nothing }
    let (wanted, held) = (link.isWanting, link.holds > 0)
    link.wants += change.wants
    link.holds += change.holds
    let (wants, holds) = (link.isWanting, link.holds > 0)
    // The target is retained by the caller, so it is not released under the lock.
    link.target = holds ? target : nil
    guard link.isRegistered else { return .nothing }
    guard !isSettled else { return holds && !held ? .deliver(link) : .nothing }
    if holds, !held { listeners.append(link) }
    if !holds, held { listeners.remove(link) }
    if wants != wanted { interest += wants ? 1 : -1 }
    return wanted && !wants ? afterDeparture() : updateSources()
  }

  // MARK: Cancelling

  /// Returns the handlers to call, or `nil` if there is nothing to cancel.
  mutating func cancel() -> [@Sendable () -> Void]? {
    guard !isSettled, !isCancelled else { return nil }
    isCancelled = true
    isNew = false
    return handlers
  }

  mutating func addHandler(_ handler: @escaping @Sendable () -> Void) -> (callsNow: Bool, Action) {
    if isCancelled { return (true, .nothing) }
    guard !isSettled else { return (false, .nothing) }
    handlers.append(handler)
    return (false, isWanted ? .nothing : .cancel)
  }
}
