import Synchronization
import Testing

@testable import Futures

@Suite("A future that gets out of the way")
struct OutOfTheWayTests {
  typealias Stoppable = Work<Int, StoppableError>
  let now = immediateExecutionContext

  /// A future whose transform returns `inner` when `second` succeeds, and the one that follows it.
  private func linked<E: Error>(
    _ second: Promise<Int, E>?, to inner: Future<Int, E>
  ) -> (middle: Future<Int, E>, outer: Future<Int, E>) {
    let first = Promise<Int, E>()
    let middle = second?.future.flatMap(now) { _ in inner } ?? Future()
    let outer = first.future.flatMap(now) { _ in middle }
    first.success(1)
    return (middle, outer)
  }

  @Test("while it is being cancelled tells the one that is next, where the error cannot say so")
  func unrepresentable() {
    let inner = Work<Int, Never>()
    let second = Promise<Int, Never>()
    let (middle, outer) = linked(second, to: inner.future)
    // What `outer.cancel()` does, up to the moment when it knows that nobody wants `middle`.
    let awaited = outer.upstream.exchange(1, ordering: .acquiringAndReleasing)
    #expect(middle.isUnwanted())
    second.success(1)
    middle.cancel()
    #expect(inner.stopCount == 1)
    Nesting.current.release(awaited)
  }

  @Test("of one that completes at that moment passes its result on")
  func completedMeanwhile() {
    let (second, inner) = (Promise<Int, StoppableError>(), Promise<Int, StoppableError>())
    let (middle, outer) = linked(second, to: inner.future)
    middle.addUpstream(Interruption(left: { inner.success(2) }))
    second.success(1)
    #expect(outer.value == 2)
    #expect(middle.value == 2)
  }

  @Test("does not do so when somebody will listen to it later")
  func wantedLater() {
    let (second, blocker, inner) = (Promise<Int, StoppableError>(), Promise<Int, StoppableError>(), Stoppable())
    let (middle, outer) = linked(second, to: inner.future)
    let all = [blocker.future, middle].sequence()
    second.success(1)
    outer.cancel()
    #expect(inner.stopCount == 0)
    blocker.success(1)
    inner.promise.success(2)
    #expect(all.value == [1, 2])
  }

  @Test("does not do so for one that follows it, and so can still end both")
  func circular() {
    let second = Promise<Int, StoppableError>()
    let circle = Box<Future<Int, StoppableError>?>(nil)
    let middle = second.future.flatMap(now) { _ in circle.value ?? Future() }
    let first = Promise<Int, StoppableError>()
    let outer = first.future.flatMap(now) { _ in middle }
    circle.value = outer
    first.success(1)
    second.success(1)
    middle.cancel()
    #expect(middle.error == .stopped)
    #expect(outer.error == .stopped)
  }

  @Test("holds nothing of what it has waited for")
  func source() {
    var second: Promise<Int, StoppableError>? = Promise()
    weak let source = second?.future
    let inner = Promise<Int, StoppableError>()
    let (middle, outer) = linked(second, to: inner.future)
    second?.success(1)
    #expect(source != nil)
    second = nil
    #expect(source == nil)
    inner.success(2)
    #expect((middle.value, outer.value) == (2, 2))
  }
}
