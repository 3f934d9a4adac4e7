import Futures
import TestSupport
import Testing

@Suite("A future that would wait for itself")
struct CycleTests {
  @Test("completing a promise with its own future stops the program")
  func promise() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let promise = Promise<Int, Never>()
      promise.complete(with: promise.future)
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("Cannot complete Future<Int, Never>(pending) with itself: it would wait for its own result. "))
  }

  @Test("a cancelled promise whose error cannot be a cancellation gets the result of the future it is completed with")
  func cancelledPromise() {
    let (promise, other) = (Promise<Int, TestError>(), Work<Int, TestError>())
    promise.future.onComplete(immediateExecutionContext) { _ in }.cancel()
    promise.complete(with: other.future)
    #expect(other.stopCount == 1)
    other.promise.success(1)
    #expect(promise.future.value == 1)
  }

  @Test("a flatMap that returns its own future stops the program")
  func flatMap() async {
    await #expect(processExitsWith: .failure) {
      let (promise, own) = (Promise<Int, Never>(), Promise<Future<Int, Never>, Never>())
      let mapped = promise.future.flatMap(immediateExecutionContext) { _ in own.future.value ?? Future(value: 0) }
      own.success(mapped)
      promise.success(1)
    }
  }

  @Test("a promise with derived futures can be completed with a future derived from another promise")
  func noCycle() {
    let (promise, other) = (Promise<Int, Never>(), Promise<Int, Never>())
    let derived = promise.future.map(immediateExecutionContext) { $0 + 1 }
    let source = other.future.map(immediateExecutionContext) { $0 + 1 }
    source.onComplete(immediateExecutionContext) { _ in }
    promise.complete(with: source.map(immediateExecutionContext) { $0 + 1 })
    other.success(0)
    #expect(derived.value == 3)
  }
}
