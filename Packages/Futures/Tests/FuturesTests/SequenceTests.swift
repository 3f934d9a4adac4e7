import Foundation
import Futures
import TestSupport
import Testing

private typealias Number = Future<Int, TestError>
private typealias Stoppable = Work<Int, StoppableError>

@Suite("The values of many futures: zip, sequence, traverse, fold and find")
struct SequenceTests {
  let promises = (0..<4).map { _ in Promise<Int, TestError>() }
  var futures: [Future<Int, TestError>] { promises.map(\.future) }

  @Test("a future that has failed before zip or sequence does not stop the others")
  func earlyFailure() {
    let works = (0..<3).map { _ in Work<Int, StoppableError>() }
    let failed = Future<Int, StoppableError>(error: .failed)
    #expect(failed.zip(works[0].future).error == .failed)
    #expect(zip(failed, works[1].future).error == .failed)
    #expect([failed, works[2].future].sequence().error == .failed)
    #expect(works.map(\.stopCount) == [0, 0, 0])
  }

  @Test("zip has both values, or the left error before the right one")
  func zipTwo() {
    let both = Number(value: 1).zip(Future<String, TestError>(value: "a"))
    #expect(both.value?.0 == 1 && both.value?.1 == "a")
    let failing = futures[0].zip(Number(error: .second))
    #expect(!failing.isCompleted)
    promises[0].failure(.first)
    #expect(failing.error == .first)
  }

  @Test("zip combines any number of futures of different types")
  func zipMany() {
    let all: Future<(Int, String, Bool), TestError> = zip(futures[0], Future(value: "a"), Future(value: true))
    promises[0].success(1)
    #expect(all.value.map { "\($0)" } == #"(1, "a", true)"#)
    let failed: Future<(Int, String), TestError> = zip(Future(error: .first), Future(error: .second))
    #expect(failed.error == .first)
  }

  @Test("a sequence has the values in the order of the list, for any order of completion")
  func order() {
    let all = [futures.sequence(), futures.sequenceFailingFast()]
    for index in [2, 0, 3, 1] {
      #expect(all.allSatisfy { !$0.isCompleted })
      promises[index].success(index)
    }
    #expect(all.map(\.value) == [[0, 1, 2, 3], [0, 1, 2, 3]])
    #expect(futures.sequence().value == [0, 1, 2, 3])
  }

  @Test("sequence fails with the first error in the order of the list, and sequenceFailingFast with the first in time")
  func errors() {
    let (inOrder, first) = (futures.sequence(), futures.sequenceFailingFast())
    promises[3].failure(.second)
    #expect(first.error == .second)
    promises[1].failure(.first)
    #expect(!inOrder.isCompleted)
    promises[0].success(0)
    #expect(inOrder.error == .first)
    #expect(first.error == .second)
    #expect([futures[2], Number(error: .second)].sequenceFailingFast().error == .second)
  }

  @Test("zipFailingFast makes a tuple of values, or fails at the first failure")
  func zipFailingFast() {
    let both = Futures.zipFailingFast(futures[0], Future<String, TestError>(value: "Puffin"))
    let failing = Futures.zipFailingFast(futures[0], futures[1])
    promises[1].failure(.second)
    #expect(failing.error == .second)
    promises[0].success(3)
    #expect(both.value?.0 == 3 && both.value?.1 == "Puffin")
  }

  @Test("the first failure of sequenceFailingFast stops the work that is still pending")
  func stopsWork() {
    let works = (0..<2).map { _ in Stoppable() }
    let all = works.map(\.future).sequenceFailingFast()
    works[1].promise.failure(.failed)
    #expect(all.error == .failed)
    #expect(works.map(\.stopCount) == [1, 0])
  }

  @Test("a sequence can be empty, and contain a future several times or values that are nil")
  func elements() {
    #expect([Number]().sequence().value == [] && [Number]().sequenceFailingFast().value == [])
    #expect([Future<Int?, Never>(value: nil), Future(value: 1)].sequence().value == [nil, 1])
    let repeated = [Future(value: 1), futures[0], Future(value: 2), futures[0]].sequence()
    promises[0].success(0)
    #expect(repeated.value == [1, 0, 2, 0])
  }

  @Test("traverse makes a future of each element in a context, and returns the values in order")
  func traverse() async {
    #expect((1...3).traverse(now) { Number(value: $0 * 2) }.value == [2, 4, 6])
    #expect([Int]().traverse(now) { Number(value: $0) }.value == [])
    #expect((1...3).traverse(now) { Number(error: .numbered($0)) }.error == .numbered(1))
    let isMain: Future<[Bool], Never> = [1].traverse { _ in Future(value: Thread.isMainThread) }
    #expect(await isMain.get() == [false])
  }

  @Test("fold combines the values in order, or fails with the first error")
  func fold() async throws {
    let letters = ["a", "b", "c"].map { Future<String, TestError>(value: $0) }
    #expect(letters.fold(now, zero: "", f: +).value == "abc")
    #expect([Number]().fold(now, zero: 7, f: +).value == 7)
    #expect((letters + [Future(error: .first), Future(error: .second)]).fold(now, zero: "", f: +).error == .first)
    #expect(try await letters.fold("", f: +).get() == "abc")
  }

  @Test("find returns the first matching value when all futures have succeeded, or an error when none matches")
  func find() {
    let found = [Future(value: 1), futures[0], Future(value: 8)].find(now) { $0 % 2 == 0 }
    #expect(!found.isCompleted)
    promises[0].success(4)
    #expect(found.value == 4)
    #expect([Future(value: 2), Number(error: .first)].find(now) { $0 % 2 == 0 }.error == .external(.first))
    #expect([Number(value: 1)].find(now) { $0 > 1 }.error == .noSuchElement)
  }
}

@Suite("The first of many futures")
struct FirstTests {
  @Test("firstCompleted has the first result in time, or the first in the list of the completed futures")
  func firstCompleted() {
    let promises = (0..<3).map { _ in Promise<Int, TestError>() }
    let first = promises.map(\.future).firstCompleted()
    promises[1].failure(.second)
    promises[0].success(0)
    #expect(first.error == .second)
    #expect([promises[2].future, Future(value: 1), Future(value: 2)].firstCompleted().value == 1)
    #expect(![Number]().firstCompleted().isCompleted)
  }

  @Test("firstSuccess ends with the first value, and fails with the first future's error when all have failed")
  func firstSuccess() {
    let promises = (0..<3).map { _ in Promise<Int, TestError>() }
    let first = promises.map(\.future).firstSuccess()
    let withValue = (promises.map(\.future) + [Future(value: 9)]).firstSuccess()
    for index in [2, 0, 1] {
      #expect(!first.isCompleted)
      promises[index].failure(.numbered(index))
    }
    #expect(first.error == .external(.numbered(0)))
    #expect(withValue.value == 9)
    #expect([Number]().firstSuccess().error == .noSuchElement)
  }

  @Test("firstSuccess fails with the first error when the other futures can never be completed")
  func firstSuccessWithoutPromise() {
    let (promise, lost) = (Promise<Int, TestError>(), Box<Promise<Int, TestError>?>(Promise()))
    let first = [promise.future, lost.value?.future].compactMap(\.self).firstSuccess()
    promise.failure(.first)
    lost.value = nil
    #expect(first.error == .external(.first))
  }

  @Test("resultsInCompletionOrder yields results in the order of completion, and skips futures that cannot complete")
  func completionOrder() async {
    let works = (0..<4).map { _ in Stoppable() }
    let lost = Promise<Int, StoppableError>().future
    let results = (works.map(\.future) + [lost]).resultsInCompletionOrder()
    for index in [2, 0, 3, 1] { works[index].promise.complete(index == 3 ? .failure(.failed) : .success(index)) }
    var seen: [Result<Int, StoppableError>] = []
    for await result in results { seen.append(result) }
    #expect(seen == [.success(2), .success(0), .failure(.failed), .success(1)])
    for await result in [Number]().resultsInCompletionOrder() { Issue.record("\(result)") }
  }

  @Test("an iteration over results that ends early, or whose task is cancelled, stops the work without other listeners")
  func early() async {
    for breaks in [true, false] {
      let works = (0..<4).map { _ in Stoppable() }
      let wanted = works[3].future.map(now) { $0 }
      if breaks { works[0].promise.success(0) }
      let task = Task.immediate {
        for await _ in works.map(\.future).resultsInCompletionOrder() { break }
      }
      if !breaks { task.cancel() }
      await task.value
      #expect(works.map(\.stopCount) == [breaks ? 0 : 1, 1, 1, 0])
      works[3].promise.success(1)
      #expect(wanted.value == 1)
    }
  }
}

@Suite("traverse with a maximum number of concurrent futures")
struct BoundedTraverseTests {
  private func traverse(_ works: [Stoppable], _ limit: Int, _ started: Log<Int>) -> Future<[Int], StoppableError> {
    works.indices.traverse(now, maxConcurrent: limit) { index in
      started.append(index)
      return works[index].future
    }
  }

  @Test("a bounded traverse starts the next future when one has ended, and keeps the order of the elements")
  func bound() {
    let (works, started) = ((0..<6).map { _ in Stoppable() }, Log<Int>())
    let all = traverse(works, 2, started)
    #expect(started.all == [0, 1])
    for (ended, count) in [(1, 3), (2, 4), (0, 5)] {
      works[ended].promise.success(ended * 10)
      #expect(started.all == Array(0..<count))
    }
    for index in 3..<6 { works[index].promise.success(index * 10) }
    #expect(all.value == [0, 10, 20, 30, 40, 50])
  }

  @Test(
    "a bounded traverse of an empty list completes at once, and a bound below one counts as one", arguments: [-3, 0, 1])
  func edges(limit: Int) {
    #expect(traverse([], limit, Log()).value == [])
    let (works, started) = ((0..<2).map { _ in Stoppable() }, Log<Int>())
    let all = traverse(works, limit, started)
    #expect(started.all == [0])
    for work in works { work.promise.success(1) }
    #expect(all.value == [1, 1])
  }

  @Test("a bounded traverse fails with the first error in order and starts no further futures after it")
  func failure() {
    let (works, started) = ((0..<5).map { _ in Stoppable() }, Log<Int>())
    let all = traverse(works, 2, started)
    works[1].promise.failure(.failed)
    #expect(!all.isCompleted)
    works[0].promise.success(0)
    #expect(all.error == .failed)
    #expect(started.all == [0, 1])
    #expect(works.map(\.stopCount) == [0, 0, 0, 0, 0])
  }

  @Test("a bounded traverse that is cancelled or left stops its pending futures, and starts no further ones")
  func ended() {
    for isCancelled in [true, false] {
      let (works, started) = ((0..<5).map { _ in Stoppable() }, Log<Int>())
      let all = traverse(works, 2, started)
      works[0].promise.success(0)
      if isCancelled { all.cancel() } else { all.map(now) { $0 }.cancel() }
      #expect(all.isCompleted == isCancelled)
      #expect(started.all == [0, 1, 2])
      #expect(works.map(\.stopCount) == [0, 1, 1, 0, 0])
    }
  }

  @Test(
    "a cancelled bounded traverse with a listener, but without a cancellation value, stops each future that it starts")
  func plainError() {
    let works = (0..<5).map { _ in Work<Int, TestError>() }
    let all = works.indices.traverse(now, maxConcurrent: 2) { works[$0].future }
    all.onComplete(now) { _ in }.cancel()
    #expect(works.map(\.stopCount) == [1, 1, 0, 0, 0])
    works[0].promise.success(0)
    #expect(works.map(\.stopCount) == [1, 1, 1, 0, 0])
    works[1].promise.failure(.first)
    #expect(all.error == .first)
  }
}
