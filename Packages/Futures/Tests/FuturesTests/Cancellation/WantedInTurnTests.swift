import Futures
import Testing

@Suite("What is waited for in turn")
struct WantedInTurnTests {
  typealias Stoppable = Work<Int, StoppableError>
  typealias Source = Future<Int, StoppableError>

  /// Ways to wait for one future after the other.
  enum Wait: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sequence, zip, fold, find, traverse, boundedTraverse
    var testDescription: String { rawValue }

    /// Begins to wait; what is returned ends the wait when it is called.
    func begin(_ sources: [Source]) -> @Sendable () -> Void {
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

  @Test("is wanted before its turn has come: another that waited for it cannot cancel it", arguments: Wait.allCases)
  func another(wait: Wait) {
    let works = (0..<3).map { _ in Stoppable() }
    let end = wait.begin(works.map(\.future))
    works[1].future.map(immediateExecutionContext) { $0 }.cancel()
    #expect(works.map(\.stopCount) == [0, 0, 0])
    end()
    #expect(works.map(\.stopCount) == [1, 1, 1])
  }

  @Test("by two is not cancelled when one of them is", arguments: Wait.allCases)
  func two(wait: Wait) {
    let works = (0..<3).map { _ in Stoppable() }
    let end = wait.begin(works.map(\.future))
    let all = works.map(\.future).sequence()
    end()
    #expect(works.map(\.stopCount) == [0, 0, 0])
    for (index, work) in works.enumerated() { work.promise.success(index) }
    #expect(all.value == [0, 1, 2])
  }

  @Test("holds nothing of what has failed before its turn came")
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

  @Test("is wanted no longer once that wait has ended, also while something else is being cancelled")
  func meanwhile() {
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
