import Testing

@testable import Futures

@Suite("Removing listeners that have ended")
struct ListenerRemovalTests {
  private func listenerCount(of async: _AsyncCore) -> Int { async.registeredCount }

  @Test("completed races that overlap leave fewer than 100 listeners on a long-lived future")
  func overlappingRaces() {
    let shutdown = Promise<Int, StoppableError>()
    var pending: [Promise<Int, StoppableError>] = []
    for index in 0..<2_000 {
      let promise = Promise<Int, StoppableError>()
      _ = [promise.future, shutdown.future].firstCompleted()
      pending.append(promise)
      if index >= 4 { pending.removeFirst().success(index) }
      #expect(listenerCount(of: shutdown.future) < 100)
    }
  }

  @Test("cancelled tasks in value(orCancelled:) leave at most one listener on a future that cannot fail")
  func withoutCancellationValue() async {
    let promise = Promise<Int, Never>()
    for _ in 0..<100 {
      let task = Task.immediate { try? await promise.future.value(orCancelled: TestError.first) }
      task.cancel()
      #expect(await task.value == nil)
    }
    #expect(listenerCount(of: promise.future) <= 1)
    promise.success(1)
    #expect(await (try? promise.future.value(orCancelled: TestError.first)) == 1)
  }

  @Test("the handler that leaves an adopted future is before all listeners, so that a departure does not search them")
  func adoptedFuture() {
    let (source, promise) = (Promise<Int, Never>(), Promise<Int, Never>())
    promise.future.onComplete(synchronousContext) { _ in }
    promise.future.register(Waiter(for: promise.future, whenCancelled: .endsWithoutValue))
    promise.complete(with: source.future)
    promise.future.register(Waiter(for: promise.future, whenCancelled: .endsWithoutValue))
    promise.future.onComplete(synchronousContext) { _ in }
    var kinds: [String] = []
    promise.future.listeners.forEach { listener in
      kinds.append(listener is UpstreamHandler ? "handler" : listener.isWaiter ? "waiter" : "callback")
    }
    #expect(kinds == ["handler", "waiter", "waiter", "callback", "callback"])
    source.success(1)
    #expect(promise.future.value == 1)
  }

  @Test("a future to which a weak reference is loaded while its list is searched gets its result")
  func weakReference() {
    let promise = Promise<Int, StoppableError>()
    let loaded = Box<Future<Int, StoppableError>?>(nil)
    do {
      let derived = Stage<Int?, Int, StoppableError>(nil, waitingFor: .one(promise.future)) { listener, upstream, _ in
        let result = unsafeDowncast(upstream, to: Future<Int, StoppableError>.self).completedValue
        unsafeDowncast(listener, to: Stage<Int?, Int, StoppableError>.self).tryComplete(result)
        return true
      }
      promise.future.register(WeaklyReferenced(derived) { [weak derived] in loaded.value = derived })
      derived.map(immediateExecutionContext) { $0 }.cancel()
    }
    #expect(loaded.value != nil)
    promise.success(1)
    #expect(loaded.value?.value == 1)
  }

  @Test("a sequence that an earlier callback of its first future cancels leaves no listener on the next future")
  func cancelledByEarlierCallback() {
    let (source, next) = (Promise<Int, StoppableError>(), Promise<Int, StoppableError>())
    let all = Box<Future<[Int], StoppableError>?>(nil)
    let other = next.future.map(immediateExecutionContext) { $0 }
    source.future.onComplete(immediateExecutionContext) { _ in all.value?.cancel() }
    all.value = [source.future, next.future].sequence()
    source.success(1)
    #expect(all.value?.error == .stopped)
    #expect(listenerCount(of: next.future) == 1)
    next.success(2)
    #expect(other.value == 2)
  }
}

/// Stands in for a derived future.
///
/// Another thread loads a weak reference to it at the worst moment.
private final class WeaklyReferenced: _Listener, @unchecked Sendable {
  private let derived: _AsyncCore
  private let load: @Sendable () -> Void

  init(_ derived: _AsyncCore, load: @escaping @Sendable () -> Void) {
    self.derived = derived
    self.load = load
    super.init { listener, upstream, isInContext in
      let derived = unsafeDowncast(listener, to: WeaklyReferenced.self).derived
      return derived.reaction(derived, upstream, isInContext)
    }
  }

  override func isUnwanted(lockedBy other: _AsyncCore) -> Bool { derived.isUnwanted(lockedBy: other) }

  override var isOnlyOwner: Bool {
    load()
    return true
  }

  override func unregisterWhileUnwanted(from other: _AsyncCore, in context: ExecutionContext?) -> Bool {
    derived.unregisterWhileUnwanted(from: other, in: context)
  }

  override func abandon(_ origin: PromiseOrigin?) {
    derived.abandon(origin)
  }
}
