import Futures
import Testing

@Suite("Waiting for a released promise whose error type lacks a cancellation value")
struct AbandonedWaitTests {
  @Test("get() stops the program, and reports the file and the line of the promise")
  func get() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = await releasedPromise().get()
    }
    expectPlace(in: result)
  }

  @Test("get() of an async reports the promise")
  func async() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = await (releasedPromise() as Async<Result<Int, Never>>).get()
    }
    expectPlace(in: result)
  }

  @Test("a wait that began before the release reports the promise")
  func waiting() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let trigger = Promise<Void, Never>()
      let derived = future(releasedAfter: trigger.future).map(immediateExecutionContext) { $0 + 1 }
      let task = Task.immediate { await derived.get() }
      trigger.success(())
      _ = await task.value
    }
    expectPlace(in: result)
  }

  @Test("a wait for a future that is derived from others reports the promise")
  func derived() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let flattened = Future<Int, Never>(value: 1).flatMap(immediateExecutionContext) { _ in releasedPromise() }
      let all = [Future(value: 1), flattened.map { $0 + 1 }].sequence()
      _ = await all.zip(Future<Int, Never>(value: 2)).get()
    }
    expectPlace(in: result, of: "Future<(Array<Int>, Int), Never>")
  }

  @Test("a wait for the winner of a race and for an adopted future reports the promise")
  func relayed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let trigger = Promise<Void, Never>()
      let winner = [future(releasedAfter: trigger.future)].firstCompleted()
      let adopting = adopting(Future(other: winner))
      trigger.success(())
      _ = await adopting.get()
    }
    expectPlace(in: result)
  }

  @Test("get() stops the program if a context discards the work")
  func context() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = await Future<Int, Never>(value: 1).map(discardingContext) { $0 }.get()
    }
    #expect(text(result).contains("Cannot wait for Future<Int, Never>(pending): "))
    #expect(text(result).contains("a context discarded its work"))
    #expect(text(result).contains("wait with value(orCancelled:)"))
  }

  @Test("get() of an async names its type, and suggests only operations that an async has")
  func plainAsync() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = await Async<Int> { _ in }.get()
    }
    #expect(text(result).contains("Cannot wait for Async<Int>(nil): "))
    #expect(!text(result).contains("error type"))
    #expect(!text(result).contains("orCancelled"))
  }

  @Test("get() of the first result of no futures names this cause")
  func emptyRace() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = await [Future<Int, Never>]().firstCompleted().get()
    }
    #expect(text(result).contains("Cannot wait for Future<Int, Never>(pending): "))
    #expect(text(result).contains("firstCompleted() of no futures"))
  }

  private func expectPlace(in result: ExitTest.Result?, of type: String = "Future<Int, Never>") {
    #expect(text(result).contains("Cannot wait for \(type)(pending): "))
    #expect(text(result).contains("the promise created at \(#fileID):\(placeOfPromise) was released"))
  }

  private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }
}

private func releasedPromise() -> Future<Int, Never> {
  future(releasedAfter: Future(value: ()))
}

/// Returns the future of a promise that is released when another future is completed.
private func future(releasedAfter trigger: Future<Void, Never>) -> Future<Int, Never> {
  let promise = Promise<Int, Never>()
  trigger.onComplete(immediateExecutionContext) { _ in _ = promise }
  return promise.future
}

/// The line of the promise in the function above.
private let placeOfPromise = #line - 6

/// Returns the future of a promise that is completed with another future.
private func adopting(_ other: Future<Int, Never>) -> Future<Int, Never> {
  let promise = Promise<Int, Never>()
  promise.complete(with: other)
  return promise.future
}
