import Futures
import TestSupport
import Testing

@Suite("Sequences of futures")
struct SequenceTests {
  let promises = (0..<4).map { _ in Promise<Int, TestError>() }
  var sequence: Future<[Int], TestError> { promises.map(\.future).sequence() }

  @Test("a sequence has the values in the order of the list, for any order of completion")
  func order() {
    let sequence = sequence
    for index in [2, 0, 3, 1] {
      #expect(!sequence.isCompleted)
      promises[index].success(index)
    }
    #expect(sequence.value == [0, 1, 2, 3])
  }

  @Test("a sequence fails with the first error in the order of the list, even if a later future fails earlier")
  func firstErrorInListOrder() {
    let sequence = sequence
    promises[3].failure(.second)
    promises[1].failure(.first)
    #expect(!sequence.isCompleted)
    promises[0].success(0)
    #expect(sequence.error == .first)
  }

  @Test("a sequence does not wait for the futures after a failed one")
  func failsEarly() {
    let sequence = sequence
    promises[0].failure(.first)
    #expect(sequence.error == .first)
    #expect(!promises[1].future.isCompleted)
    promises[1].failure(.second)
    #expect(sequence.error == .first)
  }

  @Test("an empty sequence completes at once with an empty array")
  func empty() {
    #expect([Future<Int, TestError>]().sequence().value == [])
  }

  @Test("a sequence of completed futures is completed at once")
  func completed() {
    #expect((0..<5).map { Future<Int, TestError>(value: $0) }.sequence().value == [0, 1, 2, 3, 4])
    #expect(
      [Future(value: 1), Future<Int, TestError>(error: .first), Future(error: .second)].sequence().error == .first)
  }

  @Test("a sequence can contain completed and pending futures, and the same future several times")
  func mixed() {
    let pending = promises[0].future
    let sequence = [Future(value: 1), pending, Future(value: 2), pending, pending].sequence()
    #expect(!sequence.isCompleted)
    promises[0].success(0)
    #expect(sequence.value == [1, 0, 2, 0, 0])
  }

  @Test("a sequence keeps values that are nil")
  func optionals() {
    #expect([Future<Int?, Never>(value: nil), Future(value: 1)].sequence().value == [nil, 1])
  }

  @Test("sequence reads any Swift sequence once")
  func anySequence() {
    var left = 3
    let futures = AnyIterator<Future<Int, TestError>> {
      left -= 1
      return left < 0 ? nil : Future(value: left)
    }
    #expect(futures.sequence().value == [2, 1, 0])
  }

  @Test("the futures of a sequence can be completed by several threads concurrently")
  func threads() async {
    for _ in 0..<20 {
      let promises = (0..<400).map { _ in Promise<Int, TestError>() }
      let sequence = promises.map(\.future).sequence()
      await hammer(threads: 4) { thread, _ in
        for index in stride(from: thread, to: promises.count, by: 4) { promises[index].success(index) }
      }
      #expect(sequence.value == Array(0..<400))
    }
  }
}
