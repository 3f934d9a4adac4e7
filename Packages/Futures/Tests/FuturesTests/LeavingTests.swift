import Futures
import TestSupport
import Testing

private typealias Stoppable = Work<Int, StoppableError>

/// A cancelled operator is a listener that leaves its source.
@Suite("Listeners that leave a future")
struct LeavingTests {
  @Test(
    "the last listener that leaves does not complete a future that only a promise completes",
    arguments: Operator.allCases)
  func promised(listener: Operator) {
    let promise = Promise<Int, StoppableError>()
    listener.derive(promise.future).cancel()
    #expect(!promise.future.isCompleted)
    promise.success(1)
    #expect(promise.future.value == 1)
  }

  @Test(
    "a derived future that its last listener has left gets its result for a new listener",
    arguments: Operator.allCases)
  func derived(listener: Operator) {
    let promise = Promise<Int, StoppableError>()
    let kept = promise.future.map(now) { $0 + 1 }.map(now) { $0 * 10 }
    listener.derive(kept).cancel()
    promise.success(1)
    #expect(!kept.isCompleted)
    #expect(kept.map(now) { $0 + 1 }.value == 21)
    #expect(kept.value == 20)
  }

  @Test("listeners that leave do not change the order of the others")
  func order() {
    let (promise, log) = (Promise<Int, StoppableError>(), Log<Int>())
    let leaving = (0..<100).map { index in
      if index % 30 == 0 { promise.future.onComplete(now) { _ in log.append(index) } }
      return promise.future.map(now) { $0 }
    }
    for future in leaving { future.cancel() }
    promise.future.onComplete(now) { _ in log.append(100) }
    promise.success(1)
    #expect(log.all == [0, 30, 60, 90, 100])
  }

  @Test(
    "a derived future that everyone has left does not want its source, until a new listener registers",
    arguments: Operator.allCases)
  func newListener(derivation: Operator) {
    for joins in [true, false] {
      let (work, calls) = (Stoppable(), Log<String>())
      let other = work.future.map(now) { $0 }
      let kept = derivation.derive(work.future, calls)
      kept.leave()
      if joins { kept.listen() }
      #expect(work.stopCount == 0)
      other.cancel()
      #expect(work.stopCount == (joins ? 0 : 1))
      #expect(calls.all == [])
    }
  }

  @Test("a cancellation handler that is added after everyone has left is called at once")
  func lateHandler() {
    let (promise, log) = (Promise<Int, StoppableError>(), Log<Int>())
    promise.future.map(now) { $0 }.cancel()
    promise.onCancel { log.append(1) }
    #expect(log.all == [1])
    #expect(promise.future.error == .stopped)
  }

  @Test("unreferenced cancelled futures do not accumulate on a long-lived future", arguments: Operator.allCases)
  func doNotAccumulate(listener: Operator) {
    func check<E: SampleError>(_ shutdown: Promise<Int, E>) {
      let counter = ObjectCounter()
      for _ in 0..<100 {
        listener.derive(shutdown.future.map(now) { [object = counter.object()] in ($0, object).0 }).cancel()
      }
      #expect(counter.liveCount < 10, "\(E.self)")
      shutdown.success(1)
      #expect(counter.liveCount == 0, "\(E.self)")
    }
    check(Promise<Int, StoppableError>())
    check(Promise<Int, TestError>())
  }

  @Test("a race that is decided at its start stops only losers without another listener")
  func decidedRace() {
    typealias Number = Future<Int, StoppableError>
    let races: [@Sendable (Number) -> Derived] = [
      { Derived([Number(value: 1), $0].firstCompleted()) },
      { Derived([$0, Number(value: 1)].firstCompleted()) },
      { Derived([Number(value: 1), $0].firstSuccess()) },
      { Derived([Number(error: .failed), $0].sequenceFailingFast()) },
      { Derived(zipFailingFast(Number(error: .failed), $0)) },
    ]
    for race in races {
      let (alone, shared) = (Stoppable(), Stoppable())
      let other = shared.future.map(now) { $0 }
      #expect(race(alone.future).isCompleted && race(shared.future.map(now) { $0 }).isCompleted)
      #expect((alone.stopCount, shared.stopCount) == (1, 0))
      other.cancel()
      #expect(shared.stopCount == 1)
    }
  }
}
