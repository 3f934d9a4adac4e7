import Futures
import TestSupport
import Testing

private let now = immediateExecutionContext

@Suite("sequenceFailingFast and zipFailingFast fail at the first failure")
struct FirstFailureTests {
  @Test("a failure behind a pending future completes the sequence at once")
  func laterFailure() {
    let (first, second) = (Promise<Int, TestError>(), Promise<Int, TestError>())
    let all = [first.future, second.future].sequenceFailingFast()
    let inOrder = [first.future, second.future].sequence()
    second.failure(.second)
    #expect(all.error == .second)
    #expect(!inOrder.isCompleted)
    first.failure(.first)
    #expect(all.error == .second)
    #expect(inOrder.error == .first)
  }

  @Test("all values are in the order of the sequence, whatever the order of completion")
  func values() {
    let promises = (0..<3).map { _ in Promise<Int, TestError>() }
    let all = promises.map(\.future).sequenceFailingFast()
    for index in [2, 0, 1] {
      #expect(!all.isCompleted)
      promises[index].success(index)
    }
    #expect(all.value == [0, 1, 2])
  }

  @Test("completed futures complete the sequence before the call returns")
  func completed() {
    #expect([Future<Int, TestError>]().sequenceFailingFast().value == [])
    #expect([Future<Int, TestError>(value: 1), Future(value: 2)].sequenceFailingFast().value == [1, 2])
    let pending = Promise<Int, TestError>()
    #expect([pending.future, Future(error: .second)].sequenceFailingFast().error == .second)
  }

  @Test("the first failure stops the work that is still pending")
  func stopsWork() {
    let (slow, failing) = (Promise<Int, TestError>(), Promise<Int, TestError>())
    let stopped = Log<Int>()
    slow.onCancel { stopped.append(0) }
    let all = [slow.future, failing.future].sequenceFailingFast()
    failing.failure(.second)
    #expect(all.error == .second)
    #expect(stopped.all == [0])
  }

  @Test("cancelling the sequence stops the work of all its futures")
  func cancel() {
    let promises = (0..<3).map { _ in Promise<Int, TestError>() }
    let stopped = Log<Int>()
    for (index, promise) in promises.enumerated() { promise.onCancel { stopped.append(index) } }
    promises.map(\.future).sequenceFailingFast().cancel()
    #expect(stopped.all == [0, 1, 2])
  }

  @Test("zipFailingFast makes a tuple of values, or fails at the first failure")
  func zip() {
    let (name, age) = (Promise<String, TestError>(), Promise<Int, TestError>())
    let both = zipFailingFast(name.future, age.future)
    age.success(3)
    #expect(!both.isCompleted)
    name.success("Puffin")
    #expect(both.value?.0 == "Puffin" && both.value?.1 == 3)

    let pending = Promise<String, TestError>()
    #expect(zipFailingFast(pending.future, Future<Int, TestError>(error: .second)).error == .second)
  }
}
