import TestSupport
import Futures
import Testing

@Suite("Iterating over the results of many futures")
struct ResultsTests {
  typealias Stoppable = Work<Int, StoppableError>

  @Test("resultsInCompletionOrder yields results in the order of completion")
  func completionOrder() async {
    let works = (0..<4).map { _ in Stoppable() }
    let results = works.map(\.future).resultsInCompletionOrder()
    for index in [2, 0, 3, 1] { works[index].promise.complete(index == 3 ? .failure(.failed) : .success(index)) }
    var seen: [Result<Int, StoppableError>] = []
    for await result in results { seen.append(result) }
    #expect(seen == [.success(2), .success(0), .failure(.failed), .success(1)])
  }

  @Test("resultsInCompletionOrder is empty for an empty list, and skips futures that can never complete")
  func none() async {
    for await result in [Future<Int, TestError>]().resultsInCompletionOrder() { Issue.record("\(result)") }
    let lost = Promise<Int, TestError>().future
    var seen = 0
    for await result in [lost, Future(value: 1)].resultsInCompletionOrder() { seen += result == .success(1) ? 1 : 0 }
    #expect(seen == 1)
  }

  @Test("ending the iteration over results early cancels the pending futures without another listener")
  func early() async {
    let works = (0..<4).map { _ in Stoppable() }
    let wanted = works[3].future.map(immediateExecutionContext) { $0 }
    works[0].promise.success(0)
    for await _ in works.map(\.future).resultsInCompletionOrder() { break }
    #expect(works.map(\.stopCount) == [0, 1, 1, 0])
    works[3].promise.success(1)
    #expect(wanted.value == 1)
  }

  @Test("cancelling the task that iterates over results ends the iteration and cancels the futures")
  func cancelled() async {
    let works = (0..<3).map { _ in Stoppable() }
    let futures = works.map(\.future)
    let task = Task.immediate { for await _ in futures.resultsInCompletionOrder() {} }
    task.cancel()
    await task.value
    #expect(works.map(\.stopCount) == [1, 1, 1])
  }
}

@Suite("traverse with a maximum number of concurrent futures")
struct BoundedTraverseTests {
  typealias Stoppable = Work<Int, StoppableError>
  let now = immediateExecutionContext

  private func traverse(_ works: [Stoppable], _ limit: Int, _ started: Log<Int>) -> Future<[Int], StoppableError> {
    works.indices.traverse(now, maxConcurrent: limit) { index in
      started.append(index)
      return works[index].future
    }
  }

  @Test("traverse calls its function once for each element, also in a context that runs its work twice")
  func traverseInDoublingContext() {
    let works = Log<@Sendable () -> Void>()
    let context: ExecutionContext = { work in
      works.append(work)
      doublingContext(work)
    }
    let (calls, promises) = (Log<Int>(), (0..<4).map { _ in Promise<Int, TestError>() })
    let all = promises.indices.traverse(context, maxConcurrent: 2) { index in
      calls.append(index)
      return promises[index].future
    }
    for work in works.all { work() }
    #expect(calls.all == [0, 1])
    for (index, promise) in promises.enumerated() { promise.success(index) }
    for work in works.all { work() }
    #expect(calls.all == [0, 1, 2, 3])
    #expect(all.value == [0, 1, 2, 3])
  }

  @Test("a bounded traverse starts the next future when one has ended, and keeps the order of the elements")
  func bound() {
    let works = (0..<6).map { _ in Stoppable() }
    let started = Log<Int>()
    let all = traverse(works, 2, started)
    #expect(started.all == [0, 1])
    for (ended, expected) in [(1, [0, 1, 2]), (2, [0, 1, 2, 3]), (0, [0, 1, 2, 3, 4])] {
      works[ended].promise.success(ended * 10)
      #expect(started.all == expected)
    }
    for index in 3..<6 { works[index].promise.success(index * 10) }
    #expect(all.value == [0, 10, 20, 30, 40, 50])
  }

  @Test(
    "a bounded traverse of an empty list completes at once, and a bound below one counts as one", arguments: [-3, 0, 1])
  func edges(limit: Int) {
    #expect(traverse([], limit, Log()).value == [])
    let works = (0..<2).map { _ in Stoppable() }
    let started = Log<Int>()
    let all = traverse(works, limit, started)
    #expect(started.all == [0])
    for work in works { work.promise.success(1) }
    #expect(all.value == [1, 1])
  }

  @Test("a bounded traverse fails with the first error in order and starts no further futures after it")
  func failure() {
    let works = (0..<5).map { _ in Stoppable() }
    let started = Log<Int>()
    let all = traverse(works, 2, started)
    works[1].promise.failure(.failed)
    #expect(!all.isCompleted)
    works[0].promise.success(0)
    #expect(all.error == .failed)
    #expect(started.all == [0, 1])
    #expect(works.map(\.stopCount) == [0, 0, 0, 0, 0])
  }

  @Test("a bounded traverse starts only the first future when that fails at once")
  func failureAtOnce() {
    let started = Log<Int>()
    let all = (0..<5).traverse(now, maxConcurrent: 3) { index -> Future<Int, StoppableError> in
      started.append(index)
      return Future(error: .failed)
    }
    #expect(all.error == .failed)
    #expect(started.all == [0])
  }

  @Test("cancelling a bounded traverse cancels its pending futures and starts no further ones")
  func cancelled() {
    let works = (0..<5).map { _ in Stoppable() }
    let started = Log<Int>()
    let all = traverse(works, 2, started)
    works[0].promise.success(0)
    all.cancel()
    #expect(all.error == .stopped)
    #expect(started.all == [0, 1, 2])
    #expect(works.map(\.stopCount) == [0, 1, 1, 0, 0])
  }

  @Test("the last listener that leaves a bounded traverse cancels its pending futures, and no further ones start")
  func unwanted() {
    let works = (0..<5).map { _ in Stoppable() }
    let started = Log<Int>()
    let all = traverse(works, 2, started)
    all.map(now) { $0 }.cancel()
    #expect(!all.isCompleted)
    #expect(started.all == [0, 1])
    #expect(works.map(\.stopCount) == [1, 1, 0, 0, 0])
  }

  @Test("a cancelled bounded traverse without a cancellation value cancels each further future that it starts")
  func plainError() {
    let works = (0..<5).map { _ in Work<Int, TestError>() }
    let all = works.indices.traverse(now, maxConcurrent: 2) { works[$0].future }
    all.onComplete(now) { _ in }.cancel()
    #expect(works.map(\.stopCount) == [1, 1, 0, 0, 0])
    works[0].promise.success(0)
    #expect(works.map(\.stopCount) == [1, 1, 1, 0, 0])
    works[1].promise.failure(.first)
    #expect(all.error == .first)
    works[2].promise.success(2)
    #expect(works.map(\.stopCount) == [1, 1, 1, 0, 0])
  }

  @Test("a bounded traverse of a hundred thousand elements does not overflow the stack")
  func deep() async {
    let sum = await onThread {
      (0..<100_000).traverse(immediateExecutionContext, maxConcurrent: 3) { Future<Int, Never>(value: $0) }.value?.count
    }
    #expect(sum == 100_000)
  }
}
