import Dispatch
import Futures
import TestSupport
import Testing

/// Combinators whose function runs in a context.
private enum Combinator: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case map, flatMap, flatMapResult, mapError, recoverWith, andThen, filter, fold, find, traverse, boundedTraverse
  var testDescription: String { rawValue }

  /// Applies the combinator to a completed future with a function that logs its calls.
  ///
  /// - Returns: A closure that cancels the new future.
  func start(in context: @escaping ExecutionContext, _ calls: Log<Int>) -> @Sendable () -> Void {
    typealias Number = Future<Int, StoppableError>
    let source = Number(value: 1)
    let failed = Number(error: .failed)
    @Sendable func call(_ value: Int) -> Int {
      calls.append(value)
      return value
    }
    func canceller<Value>(_ async: Async<Value>) -> @Sendable () -> Void { { async.cancel() } }
    return switch self {
    case .map: canceller(source.map(context) { call($0) })
    case .flatMap: canceller(source.flatMap(context) { Number(value: call($0)) })
    case .flatMapResult: canceller(source.flatMap(context) { Result<Int, StoppableError>.success(call($0)) })
    case .mapError:
      canceller(
        failed.mapError(context) { error -> StoppableError in
          _ = call(0)
          return error
        })
    case .recoverWith: canceller(failed.recoverWith(context: context) { _ in Number(value: call(0)) })
    case .andThen: canceller(source.andThen(context: context) { _ in _ = call(0) })
    case .filter: canceller(source.filter(context) { call($0) == 1 })
    case .fold: canceller([source].fold(context, zero: 0) { $0 + call($1) })
    case .find: canceller([source].find(context) { call($0) == 1 })
    case .traverse: canceller((0..<3).traverse(context) { Number(value: call($0)) })
    case .boundedTraverse: canceller((0..<3).traverse(context, maxConcurrent: 2) { Number(value: call($0)) })
    }
  }
}

@Suite("Cancelling a combinator before its context runs")
struct CancelBeforeContextTests {
  @Test(
    "a cancelled combinator does not call its function when a deferring context runs", arguments: Combinator.allCases)
  fileprivate func deferringContext(combinator: Combinator) {
    let (manual, calls) = (ManualContext(), Log<Int>())
    let cancel = combinator.start(in: manual.context, calls)
    cancel()
    manual.runAll()
    #expect(calls.all == [])
  }

  @Test(
    "a cancelled combinator does not call its function when its suspended queue resumes",
    arguments: Combinator.allCases)
  fileprivate func queue(combinator: Combinator) async {
    let (queue, calls) = (TestQueue("busy"), Log<Int>())
    queue.queue.suspend()
    let cancel = combinator.start(in: queue.context, calls)
    cancel()
    queue.queue.resume()
    await withCheckedContinuation { done in queue.queue.async { done.resume() } }
    #expect(calls.all == [])
  }

  @Test(
    "a cancelled combinator does not call its function when its busy actor becomes free",
    arguments: Combinator.allCases)
  @MainActor
  fileprivate func actor(combinator: Combinator) async {
    let calls = Log<Int>()
    let context: ExecutionContext = { work in Task { @MainActor in work() } }
    let cancel = combinator.start(in: context, calls)
    cancel()
    for _ in 0..<10 { await Task.yield() }
    #expect(calls.all == [])
  }
}
