internal import Isolation

/// An async without its value: the state, and the lock that guards it.
///
/// Public only because ``Async`` inherits from it, without public members. It is not generic, because generic code
/// costs more than the lock.
///
/// Each operation makes one transition of `AsyncState` under the lock, and performs the returned action after it released the
/// lock. Callbacks, handlers and operations of other asyncs never run under a lock.
///
/// `@unchecked Sendable`: `lock` guards `state`.
public class _AsyncCore: @unchecked Sendable {
  private let lock = Lock()
  @exclusivity(unchecked) private final var state: AsyncState

  /// - Parameter completers: The number of promises, scopes and links that can complete the async.
  @usableFromInline
  init(completers: Int32, isCompleted: Bool = false, stopsSources: Bool = true) {
    state = AsyncState(completers: completers, isCompleted: isCompleted, stopsSources: stopsSources)
  }

  deinit {
    guard !state.links.isEmpty else { return }
    // The links retain the sources: a long chain is released in constant stack space.
    var links: Links? = state.links.take()
    Trampoline.call {
      links = nil
    } orLater: {
      let last = links
      return { _ = last }
    }
  }

  // MARK: Reading

  @usableFromInline final var hasResult: Bool { lock.withLock { state.phase == .completed } }

  final var isPending: Bool { lock.withLock { !state.isSettled } }

  final var demand: AsyncState.Demand { lock.withLock { state.demand } }

  /// The last promise that was released before it completed this async or a source of it.
  final var origin: PromiseOrigin? { lock.withLock { state.origin } }

  // MARK: Completing

  /// Stores the value if the async is pending, and then calls the listeners before it returns.
  @usableFromInline
  final func complete(storing store: () -> Void) -> Bool {
    guard var settlement = lock.withLock({ settle(storing: store) }) else { return false }
    finish(&settlement)
    return true
  }

  /// Counts a promise, scope or link that can complete the async.
  final func addCompleter() {
    lock.withLock { state.completers += 1 }
  }

  /// Abandons the async if nothing is left that can complete it.
  final func completerHasEnded(_ origin: PromiseOrigin?) {
    guard var settlement = lock.withLock({ state.endCompleter(origin) }) else { return }
    finish(&settlement)
  }

  private func settle(storing store: () -> Void) -> AsyncState.Settlement? {
    guard !state.isSettled else { return nil }
    store()
    return state.settle(as: .completed)
  }

  private func finish(_ settlement: inout AsyncState.Settlement) {
    // After a cancellation the listeners come first. One that fails with this async, such as a zip, leaves the same source without stopping
    // it. This async then leaves last, and stops it.
    if settlement.isCancelled { deliver(&settlement.listeners) }
    settlement.links.forEach { $0.source.disconnect($0, stopsWork: settlement.stopsSources) }
    deliver(&settlement.listeners)
  }

  private func deliver(_ listeners: inout ListenerList) {
    guard !listeners.isEmpty else { return }
    Trampoline.call {
      listeners.removeAll { $0.receive(from: self) }
    } orLater: {
      let later = listeners.take()
      return {
        var listeners = later
        listeners.removeAll { $0.receive(from: self) }
      }
    }
  }

  // MARK: Listening

  @usableFromInline
  final func register(_ listener: _Listener) {
    perform(lock.withLock { state.add(listener) })
  }

  /// Withdraws the interest of a listener, and removes it from the list.
  final func leave(_ listener: _Listener, removing: Bool = true) {
    perform(lock.withLock { state.leave(listener, removing: removing) })
  }

  // MARK: Sources

  /// Waits for another async with a link; the step of the link gives this one its result.
  final func wait(with link: Link) {
    lock.withLock { state.insert(link) }
    link.source.connect(link)
  }

  final func remove(_ link: Link) {
    lock.withLock { state.links.remove(link) }
  }

  // MARK: Targets

  private func connect(_ link: Link) {
    perform(lock.withLock { state.connect(link) })
  }

  /// Returns the target of a link once, for its delivery, or `nil` if the target does not wait.
  final func claim(_ link: Link) -> _AsyncCore? {
    lock.withLock {
      guard !link.isClosed, let target = link.target else { return nil }
      link.isClosed = true
      return target
    }
  }

  private func disconnect(_ link: Link, stopsWork: Bool) {
    perform(lock.withLock { state.disconnect(link, stopsWork: stopsWork) })
  }

  private func adjust(_ link: Link, by change: AsyncState.Change, of target: _AsyncCore) {
    perform(lock.withLock { state.adjust(link, by: change, of: target) })
  }

  // MARK: Cancelling

  final func cancelWork() {
    Trampoline.call {
      callHandlers()
    } orLater: {
      { self.callHandlers() }
    }
  }

  private func callHandlers() {
    guard let handlers = lock.withLock({ state.cancel() }) else { return }
    for handler in handlers { handler() }
    // Completed before the sources are left, so that no function in between is called with their cancellation.
    if !completeAsCancelled() { perform(lock.withLock { state.updateSources() }) }
  }

  /// Completes the async with the cancellation value of its error type, and returns whether there is one.
  func completeAsCancelled() -> Bool { false }

  final func addHandler(_ handler: @escaping @Sendable () -> Void) {
    let (callsNow, action) = lock.withLock { state.addHandler(handler) }
    if callsNow { handler() }
    perform(action)
  }

  private func perform(_ action: AsyncState.Action) {
    switch action {
    case .nothing: break
    case .deliver(let listener):
      Trampoline.call {
        listener.receive(from: self)
      } orLater: {
        { listener.receive(from: self) }
      }
    case .cancel: cancelWork()
    case .adjust(let links, let change):
      Trampoline.call {
        links.forEach { $0.source.adjust($0, by: change, of: self) }
      } orLater: {
        { links.forEach { $0.source.adjust($0, by: change, of: self) } }
      }
    }
  }
}
