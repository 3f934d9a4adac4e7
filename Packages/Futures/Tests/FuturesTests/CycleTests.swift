import Futures
import TestSupport
import Testing

@Suite("A future that would wait for itself")
struct CycleTests {
  @Test("completing a promise with its own future stops the program, and a debug build reports the promise's line")
  func promise() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let promise = Promise<Int, Never>()
      promise.complete(with: promise.future)
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("Cannot complete a Future<Int, Never> with itself: it would wait for its own result. "))
    #if DEBUG
      #expect(message.contains("Complete the promise created at \(#fileID):\(#line - 7) with another future."))
    #endif
  }

  @Test("completing two promises with each other stops the program")
  func promises() async {
    await #expect(processExitsWith: .failure) {
      let (one, other) = (Promise<Int, Never>(), Promise<Int, Never>())
      one.complete(with: other.future)
      other.complete(with: one.future)
    }
  }

  @Test("completing two cancelled promises with each other stops the program, if their error cannot be a cancellation")
  func cancelledPromises() async {
    await #expect(processExitsWith: .failure) {
      let (one, other) = (Promise<Int, TestError>(), Promise<Int, TestError>())
      one.future.cancel()
      one.complete(with: other.future)
      other.complete(with: one.future)
    }
  }

  @Test("an async of an async whose inner async is the flattened one stops the program")
  func flattened() async {
    await #expect(processExitsWith: .failure) {
      let complete = Box<(@Sendable (Async<Int>) -> Void)?>(nil)
      let flattened = Async<Async<Int>> { complete.value = $0 }.flatten()
      complete.value?(flattened)
    }
  }

  @Test("a cancelled promise whose error cannot be a cancellation gets the result of the future it is completed with")
  func cancelledPromise() {
    let (promise, other) = (Promise<Int, TestError>(), Work<Int, TestError>())
    promise.future.cancel()
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

  @Test("completing a promise with a future that is derived from its own stops the program")
  func derived() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let promise = Promise<Int, Never>()
      promise.complete(with: promise.future.map(immediateExecutionContext) { $0 + 1 })
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("Cannot complete a Future<Int, Never> with itself"))
  }

  @Test("completing a promise with a chain of futures that begins at its own stops the program")
  func derivedChain() async {
    await #expect(processExitsWith: .failure) {
      let promise = Promise<Int, any Error>()
      let mapped = promise.future.map(synchronousContext) { $0 + 1 }.map { $0 }
      promise.complete(with: mapped.recoverWith { _ in Future(value: 1) }.flatMap { Future(value: $0) })
    }
  }

  @Test("a flatMap that returns a future derived from its own stops the program")
  func derivedFlatMap() async {
    await #expect(processExitsWith: .failure) {
      let (promise, own) = (Promise<Int, Never>(), Promise<Future<Int, Never>, Never>())
      let mapped = promise.future.flatMap(immediateExecutionContext) { _ in own.future.value ?? Future(value: 0) }
      own.success(mapped.map { $0 + 1 })
      promise.success(1)
    }
  }

  @Test("two promises, each completed with a future derived from the other, stop the program")
  func derivedPromises() async {
    await #expect(processExitsWith: .failure) {
      let (one, other) = (Promise<Int, Never>(), Promise<Int, Never>())
      one.complete(with: other.future.map { $0 })
      other.complete(with: one.future.map { $0 })
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
