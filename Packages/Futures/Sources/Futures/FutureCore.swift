internal import Isolation
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The state of a future and its result, shared by the copies of the future, its promise and its links.
///
/// `@unchecked Sendable`: the lock of `AnyFutureCore` guards `storage`; it is written once, before the completion is published.
@usableFromInline
class ResultCore<Value: Sendable>: AnyFutureCore, @unchecked Sendable {
  // In a class with two generic parameters, each release of a future costs a look-up of the type of its result.
  @usableFromInline @exclusivity(unchecked) final var storage: Value?

  @inlinable
  init(result: Value) {
    storage = result
    super.init(completers: 0, isCompleted: true)
  }

  /// Creates the core of a pending future.
  @inlinable
  init(completers: Int32, stopsSources: Bool = true) {
    super.init(completers: completers, stopsSources: stopsSources)
  }

  @inlinable final var result: Value? { hasResult ? storage : nil }

  /// The result of a completed future.
  @inlinable final var completedResult: Value { storage.unsafelyUnwrapped }

  @inlinable
  @discardableResult
  final func tryComplete(_ result: Value) -> Bool {
    complete { storage = result }
  }
}

/// The part of the state that depends on the error type.
@usableFromInline
final class FutureCore<T: Sendable, E: Error>: ResultCore<Result<T, E>>, @unchecked Sendable {
  override var hasFailed: Bool {
    if case .failure? = result { true } else { false }
  }

  override var failsWhenCancelled: Bool { cancellation(as: E.self) != nil }

  override func completeAsCancelled() {
    if let error = cancellation(as: E.self) { tryComplete(.failure(error)) }
  }

  /// Takes the result of another future when that has one.
  @inlinable
  func follow(_ other: Future<T, E>) {
    if other.core === self { return failAsOwnSource() }
    link(other.core, to: self) { other, this in this.tryComplete(other.completedResult) }
  }

  @usableFromInline
  func failAsOwnSource() {
    guard isOpen else { return }
    fatalError(
      "Cannot complete \(Future(core: self)) with itself: it would wait for its own result. Complete it with another future."
    )
  }

  /// Takes the transformed outcome of another asynchronous operation when that has one.
  func follow<Other: AsyncType>(any other: Other, _ transform: @escaping @Sendable (Other.Value) -> Result<T, E>) {
    if let source = (other as? any CoreOwner)?.anyCore {
      return link(source, to: self) { _, this in
        if let outcome = other.result { this.tryComplete(transform(outcome)) }
      }
    }
    addCompleter()
    let promise = Promise(completing: self)
    other.onComplete(immediateExecutionContext) { promise.complete(transform($0)) }
  }
}

protocol CoreOwner {
  var anyCore: AnyFutureCore { get }
}

/// The core of a future without its result: the state, and the lock that guards it.
///
/// It is not generic, because generic code costs more than the lock. Each operation makes one transition of `FutureState` under the lock,
/// and performs the returned action after it released the lock.
///
/// `@unchecked Sendable`: `lock` guards `state`.
@usableFromInline
class AnyFutureCore: @unchecked Sendable {
  private let lock = Lock()
  /// Whether the phase is `completed`, for reads without the lock.
  private let isPublished: Atomic<Bool>
  @exclusivity(unchecked) private final var state: FutureState

  /// - Parameter completers: The number of promises, scopes and links that can complete the future.
  @usableFromInline
  init(completers: Int32, isCompleted: Bool = false, stopsSources: Bool = true) {
    isPublished = Atomic(isCompleted)
    state = FutureState(completers: completers, isCompleted: isCompleted, stopsSources: stopsSources)
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

  @usableFromInline final var hasResult: Bool { isPublished.load(ordering: .acquiring) }

  var hasFailed: Bool { false }

  /// Whether a result counts.
  final var isOpen: Bool { lock.withLock { state.isOpen } }

  final var isCancelled: Bool { lock.withLock { state.isCancelled } }

  final var demand: FutureState.Demand { lock.withLock { state.demand } }

  /// The last promise that was released before it completed this future or a source of it.
  final var origin: PromiseOrigin? { lock.withLock { state.origin } }

  // MARK: Completing

  /// Stores the value if the future is pending, and then calls the listeners before it returns.
  @usableFromInline
  final func complete(storing store: () -> Void) -> Bool {
    guard
      var settlement = lock.withLock({ () -> FutureState.Settlement? in
        guard state.isOpen else { return nil }
        store()
        isPublished.store(true, ordering: .releasing)
        return state.settle(as: .completed)
      })
    else { return false }
    finish(&settlement)
    return true
  }

  /// Counts a promise, scope or link that can complete the future.
  final func addCompleter() {
    lock.withLock { state.completers += 1 }
  }

  /// Abandons the future if nothing is left that can complete it.
  @usableFromInline
  final func completerHasEnded(_ origin: PromiseOrigin?) {
    guard var settlement = lock.withLock({ state.endCompleter(origin) }) else { return }
    finish(&settlement)
  }

  private func finish(_ settlement: inout FutureState.Settlement) {
    // After a cancellation the listeners come first. One that fails with this future, such as a zip, leaves the same source without
    // stopping it. This future then leaves last, and stops it.
    if settlement.isCancelled { deliver(&settlement.listeners) }
    settlement.links.forEach { link in
      link.source.update { $0.disconnect(link, stopsWork: settlement.stopsSources) }
    }
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
  final func register(_ listener: Listener) {
    update { $0.add(listener) }
  }

  final func update(_ transition: (inout FutureState) -> FutureState.Action) {
    perform(lock.withLock { transition(&state) })
  }

  // MARK: Sources

  /// Waits for another future with a link; the step of the link gives this one its result.
  final func wait(with link: Link) {
    lock.withLock { state.insert(link) }
    link.source.update { $0.connect(link) }
  }

  final func remove(_ link: Link) {
    lock.withLock { state.links.remove(link) }
  }

  /// Returns the target of a link once, for its delivery, or `nil` if the target does not wait.
  final func claim(_ link: Link) -> AnyFutureCore? {
    lock.withLock {
      guard !link.isClosed, let target = link.target else { return nil }
      link.isClosed = true
      return target
    }
  }

  // MARK: Cancelling

  final func cancel() {
    guard lock.withLock({ state.cancel() }) else { return }
    Trampoline.call {
      callHandlers()
    } orLater: {
      if failsWhenCancelled { _ = lock.withLock { state.continueCancellation(in: .deferringHandlers) } }
      return { self.callHandlers() }
    }
  }

  private func callHandlers() {
    for handler in lock.withLock({ state.continueCancellation(in: .callingHandlers) }) { handler() }
    // Completed before the sources are left, so that no function in between is called with their cancellation.
    completeAsCancelled()
    perform(lock.withLock { state.endCancellation() })
  }

  var failsWhenCancelled: Bool { false }

  func completeAsCancelled() {}

  final func addHandler(_ handler: @escaping @Sendable () -> Void) {
    let (callsNow, action) = lock.withLock { state.addHandler(handler) }
    if callsNow { handler() }
    perform(action)
  }

  private func perform(_ action: FutureState.Action) {
    switch action {
    case .nothing: break
    case .deliver(let listener):
      Trampoline.call {
        listener.receive(from: self)
      } orLater: {
        { listener.receive(from: self) }
      }
    case .cancel: cancel()
    case .adjust(let links, let change):
      let adjust = { links.forEach { link in link.source.update { $0.adjust(link, by: change, of: self) } } }
      Trampoline.call(adjust) { adjust }
    }
  }
}

/// A lock that is stored in its owner, without an allocation.
///
/// It is never held while user code runs, and no two locks are held together.
struct Lock: ~Copyable, Sendable {
  #if canImport(Darwin)
    private let mutex = Mutex(())

    @inline(__always)
    func withLock<Result>(_ body: () -> Result) -> Result { mutex.withLock { _ in body() } }
  #else
    // Not a `Mutex`: on Linux, ThreadSanitizer does not see it and reports a race for everything that it guards.
    private let isLocked = Atomic(false)

    @inline(__always)
    func withLock<Result>(_ body: () -> Result) -> Result {
      while isLocked.exchange(true, ordering: .acquiring) { sched_yield() }
      defer { isLocked.store(false, ordering: .releasing) }
      return body()
    }
  #endif
}
