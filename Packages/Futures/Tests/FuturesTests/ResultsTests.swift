import ParallelTesting
import Futures
import Testing

@Suite("The results of many futures, one by one")
struct ResultsTests {
  typealias Stoppable = Work<Int, StoppableError>

  @Test("come in the order of completion")
  func completionOrder() async {
    let works = (0..<4).map { _ in Stoppable() }
    let results = works.map(\.future).resultsInCompletionOrder()
    for index in [2, 0, 3, 1] { works[index].promise.complete(index == 3 ? .failure(.failed) : .success(index)) }
    var seen: [Result<Int, StoppableError>] = []
    for await result in results { seen.append(result) }
    #expect(seen == [.success(2), .success(0), .failure(.failed), .success(1)])
  }

  @Test("of none are none, and those that can never come are left out")
  func none() async {
    for await result in [Future<Int, TestError>]().resultsInCompletionOrder() { Issue.record("\(result)") }
    let lost = Promise<Int, TestError>().future
    var seen = 0
    for await result in [lost, Future(value: 1)].resultsInCompletionOrder() { seen += result == .success(1) ? 1 : 0 }
    #expect(seen == 1)
  }

  @Test("leave the futures when the iteration ends early, and cancel those without another listener")
  func early() async {
    let works = (0..<4).map { _ in Stoppable() }
    let wanted = works[3].future.map(immediateExecutionContext) { $0 }
    works[0].promise.success(0)
    for await _ in works.map(\.future).resultsInCompletionOrder() { break }
    #expect(works.map(\.stopCount) == [0, 1, 1, 0])
    works[3].promise.success(1)
    #expect(wanted.value == 1)
  }

  @Test("end when the iterating task is cancelled")
  func cancelled() async {
    let works = (0..<3).map { _ in Stoppable() }
    let futures = works.map(\.future)
    let task = Task.immediate { for await _ in futures.resultsInCompletionOrder() {} }
    task.cancel()
    await task.value
    #expect(works.map(\.stopCount) == [1, 1, 1])
  }
}

@Suite("A traversal with a bound")
struct BoundedTraverseTests {
  typealias Stoppable = Work<Int, StoppableError>
  let now = immediateExecutionContext

  /// Begins to traverse works, and remembers which have begun.
  private func traverse(_ works: [Stoppable], _ limit: Int, _ begun: Log<Int>) -> Future<[Int], StoppableError> {
    works.indices.traverse(now, maxConcurrent: limit) { index in
      begun.append(index)
      return works[index].future
    }
  }

  @Test("begins so many, and another when one has ended; values come in the order of the elements")
  func bound() {
    let works = (0..<6).map { _ in Stoppable() }
    let begun = Log<Int>()
    let all = traverse(works, 2, begun)
    #expect(begun.all == [0, 1])
    for (ended, expected) in [(1, [0, 1, 2]), (2, [0, 1, 2, 3]), (0, [0, 1, 2, 3, 4])] {
      works[ended].promise.success(ended * 10)
      #expect(begun.all == expected)
    }
    for index in 3..<6 { works[index].promise.success(index * 10) }
    #expect(all.value == [0, 10, 20, 30, 40, 50])
  }

  @Test("of nothing is there at once, and a bound below one counts as one", arguments: [-3, 0, 1])
  func edges(limit: Int) {
    #expect(traverse([], limit, Log()).value == [])
    let works = (0..<2).map { _ in Stoppable() }
    let begun = Log<Int>()
    let all = traverse(works, limit, begun)
    #expect(begun.all == [0])
    for work in works { work.promise.success(1) }
    #expect(all.value == [1, 1])
  }

  @Test("fails with the first error in the order of the elements, and begins no more then")
  func failure() {
    let works = (0..<5).map { _ in Stoppable() }
    let begun = Log<Int>()
    let all = traverse(works, 2, begun)
    works[1].promise.failure(.failed)
    #expect(begun.all == [0, 1, 2])
    #expect(!all.isCompleted)
    works[0].promise.success(0)
    #expect(all.error == .failed)
    works[2].promise.success(2)
    #expect(begun.count <= 4)
    #expect(works.map(\.stopCount) == [0, 0, 0, 0, 0])
  }

  @Test("begins no more than the first, when that fails at once")
  func failureAtOnce() {
    let begun = Log<Int>()
    let all = (0..<5).traverse(now, maxConcurrent: 3) { index -> Future<Int, StoppableError> in
      begun.append(index)
      return Future(error: .failed)
    }
    #expect(all.error == .failed)
    #expect(begun.all == [0])
  }

  @Test("can be cancelled: those under way are, and no more begin")
  func cancelled() {
    let works = (0..<5).map { _ in Stoppable() }
    let begun = Log<Int>()
    let all = traverse(works, 2, begun)
    works[0].promise.success(0)
    all.cancel()
    #expect(all.error == .stopped)
    #expect(begun.all == [0, 1, 2])
    #expect(works.map(\.stopCount) == [0, 1, 1, 0, 0])
  }

  @Test("of a hundred thousand fits on a small stack")
  func deep() async {
    let sum = await onThread {
      (0..<100_000).traverse(immediateExecutionContext, maxConcurrent: 3) { Future<Int, Never>(value: $0) }.value?.count
    }
    #expect(sum == 100_000)
  }
}
