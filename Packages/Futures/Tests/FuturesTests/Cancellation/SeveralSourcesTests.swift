import Futures
import Testing

@Suite("Combinators that wait for several futures")
struct SeveralSourcesTests {
  typealias Stoppable = Work<Int, StoppableError>
  typealias Source = Future<Int, StoppableError>

  enum Wait: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sequence, zip, fold, find, traverse, boundedTraverse
    var testDescription: String { rawValue }

    func start(_ sources: [Source]) -> @Sendable () -> Void {
      let now = immediateExecutionContext
      switch self {
      case .sequence: return { [all = sources.sequence()] in all.cancel() }
      case .zip: return { [all = Futures.zip(sources[0], sources[1], sources[2])] in all.cancel() }
      case .fold: return { [all = sources.fold(now, zero: 0) { $0 + $1 }] in all.cancel() }
      case .find: return { [all = sources.find(now) { $0 == 9 }] in all.cancel() }
      case .traverse: return { [all = sources.indices.traverse(now) { sources[$0] }] in all.cancel() }
      case .boundedTraverse:
        return { [all = sources.indices.traverse(now, maxConcurrent: 9) { sources[$0] }] in all.cancel() }
      }
    }
  }

  @Test(
    "all sources count as wanted from the start: cancelling another listener stops no work", arguments: Wait.allCases)
  func otherListener(wait: Wait) {
    let works = (0..<3).map { _ in Stoppable() }
    let cancel = wait.start(works.map(\.future))
    works[1].future.map(immediateExecutionContext) { $0 }.cancel()
    #expect(works.map(\.stopCount) == [0, 0, 0])
    cancel()
    #expect(works.map(\.stopCount) == [1, 1, 1])
  }

  @Test("sources that two combinators wait for are not cancelled with one of these", arguments: Wait.allCases)
  func twoCombinators(wait: Wait) {
    let works = (0..<3).map { _ in Stoppable() }
    let cancel = wait.start(works.map(\.future))
    let all = works.map(\.future).sequence()
    cancel()
    #expect(works.map(\.stopCount) == [0, 0, 0])
    for (index, work) in works.enumerated() { work.promise.success(index) }
    #expect(all.value == [0, 1, 2])
  }

  @Test("a failed combinator is released although some of its sources are pending")
  func failed() {
    let works = (0..<3).map { _ in Stoppable() }
    weak var sequence: Future<[Int], StoppableError>?
    weak var fold: Future<Int, StoppableError>?
    weak var find: Future<Int, FuturesError<StoppableError>>?
    do {
      let sources = works.map(\.future)
      (sequence, fold) = (sources.sequence(), sources.fold(immediateExecutionContext, zero: 0) { $0 + $1 })
      find = sources.find(immediateExecutionContext) { $0 == 9 }
    }
    #expect(sequence != nil && fold != nil && find != nil)
    works[0].promise.failure(.failed)
    #expect(sequence == nil && fold == nil && find == nil)
    #expect(works.map(\.stopCount) == [0, 0, 0])
  }

  @Test("a failed zip no longer wants its second source, also when it fails inside a cancellation handler")
  func failedInHandler() {
    let (first, second, cause) = (Stoppable(), Stoppable(), Stoppable())
    let now = immediateExecutionContext
    let both = first.future.zip(second.future)
    let other = second.future.map(now) { $0 }
    cause.promise.onCancel {
      first.promise.failure(.failed)
      other.cancel()
    }
    cause.future.map(now) { $0 }.cancel()
    #expect(both.error == .failed)
    #expect(second.stopCount == 1)
  }
}
