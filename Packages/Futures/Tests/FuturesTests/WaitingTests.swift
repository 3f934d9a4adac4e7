import Futures
import Testing

private typealias Stoppable = Work<Int, StoppableError>

/// Starts a task that waits, and returns when it has started to wait.
private func waiting<T: Sendable, E: Error>(
  _ wait: @escaping @Sendable () async throws(E) -> T
) -> Task<Result<T, E>, Never> {
  Task.immediate {
    do throws(E) { return .success(try await wait()) } catch { return .failure(error) }
  }
}

@Suite("Tasks that wait for a future")
struct WaitingTests {
  @Test("get() returns the value or throws the error, whose type is the future's", arguments: Readiness.allCases)
  func get(readiness: Readiness) async {
    let (good, completeGood) = readiness.future(Result<Int, TestError>.success(1))
    let (bad, completeBad) = readiness.future(Result<Int, TestError>.failure(.first))
    let (certain, completeCertain) = readiness.future(Result<Int, Never>.success(2))
    let tasks = (
      waiting { () async throws(TestError) in try await good.get() },
      waiting { () async throws(TestError) in try await bad.get() }, Task.immediate { await certain.get() }
    )
    completeGood()
    completeBad()
    completeCertain()
    #expect(await tasks.0.value == .success(1))
    #expect(await tasks.1.value == .failure(.first))
    #expect(await tasks.2.value == 2)
  }

  @Test("get() of an async returns its value, which can be a Result")
  func getAsync() async {
    #expect(await Async(result: 3).get() == 3)
    #expect(await Async(result: Result<Int, TestError>.failure(.first)).get() == .failure(.first))
  }

  @Test(
    "tasks in get() do not wait for callbacks in a deferring context, also if they are cancelled after the completion")
  func deferringContext() async {
    for isCancelled in [true, false] {
      let (manual, promise) = (ManualContext(), Promise<Int, StoppableError>())
      promise.future.onComplete(manual.context) { _ in }
      let task = waiting { () async throws(StoppableError) in try await promise.future.get() }
      promise.success(1)
      if isCancelled { task.cancel() }
      #expect(await task.value == .success(1))
      #expect(manual.count == 1)
    }
  }

  // MARK: Cancelled tasks

  @Test("only the last cancelled task of several cancels the future, and get() throws the future's cancellation error")
  func cancelled() async {
    let work = Stoppable()
    let tasks = (0..<3).map { _ in waiting { () async throws(StoppableError) in try await work.future.get() } }
    for index in [1, 0, 2] {
      #expect(!work.future.isCompleted)
      tasks[index].cancel()
      #expect(await tasks[index].value == .failure(.stopped))
    }
    #expect(work.future.error == .stopped)
    #expect(work.stopCount == 1)
  }

  @Test("a task that was cancelled before get() does not wait, and gets the value of a completed future")
  func before() async {
    let work = Stoppable()
    let task = Task { () -> Int? in
      // This stream ends only when the task is cancelled.
      for await _ in AsyncStream<Never>.makeStream().stream {}
      guard await Future<Int, Never>(value: 1).get() == 1 else { return 0 }
      return try? await work.future.get()
    }
    task.cancel()
    #expect(await task.value == nil)
    #expect(work.stopCount == 1)
  }

  @Test("a cancelled task in get() stops the work, and waits for its result if there is no cancellation error")
  func withoutCancellationValue() async {
    let (promise, work) = (Promise<Int, Never>(), Work<Int, Never>())
    promise.onCancel { promise.success(-1) }
    let tasks = [promise.future, work.future].map { future in Task.immediate { await future.get() } }
    for task in tasks { task.cancel() }
    #expect(await tasks[0].value == -1)
    #expect(work.stopCount == 1)
    work.promise.success(2)
    #expect(await tasks[1].value == 2)
  }

  @Test("a cancelled task in value(orCancelled:) stops the work, and throws the given error for any error type")
  func orCancelled() async {
    let (certain, failing, stoppable) = (Work<Int, Never>(), Work<Int, TestError>(), Stoppable())
    let tasks = (
      waiting { () async throws(StoppableError) in try await certain.future.value(orCancelled: StoppableError.failed) },
      waiting { () async throws(TestError) in try await failing.future.value(orCancelled: .second) },
      waiting { () async throws(StoppableError) in try await stoppable.future.value(orCancelled: .failed) }
    )
    tasks.0.cancel()
    tasks.1.cancel()
    tasks.2.cancel()
    #expect(await tasks.0.value == .failure(.failed))
    #expect(await tasks.1.value == .failure(.second))
    #expect(await tasks.2.value == .failure(.failed))
    #expect([certain.stopCount, failing.stopCount, stoppable.stopCount] == [1, 1, 1])
    #expect(stoppable.future.error == .stopped)
    failing.promise.failure(.first)
    await #expect(throws: TestError.first) { try await failing.future.value(orCancelled: .second) }
  }

  @Test("a task that an earlier callback cancels during the completion gets the result")
  func cancelledInCallback() async {
    let (promise, task) = (Promise<Int, TestError>(), Box<Task<Result<Int, TestError>, Never>?>(nil))
    promise.future.onComplete(now) { _ in task.value?.cancel() }
    task.value = waiting { () async throws(TestError) in try await promise.future.value(orCancelled: .second) }
    promise.success(1)
    #expect(await task.value?.value == .success(1))
  }

  @Test("cancelled tasks leave nothing on a long-lived future")
  func longLived() async {
    let (counter, promise) = (ObjectCounter(), Promise<Int, StoppableError>())
    promise.future.onComplete(now) { _ in }
    for _ in 0..<200 {
      let task = waiting { [object = counter.object()] () async throws(StoppableError) in
        (try await promise.future.get(), object).0
      }
      task.cancel()
      _ = await task.value
    }
    #expect(counter.liveCount == 0)
  }

  // MARK: Released promises

  @Test("waiting for a released promise throws the cancellation error, or the given error")
  func released() async {
    var promise: Promise<Int, StoppableError>? = Promise()
    let future = promise?.future
    let task = waiting { () async throws(StoppableError) in try await future?.get() }
    promise = nil
    #expect(await task.value == .failure(.stopped))
    await #expect(throws: StoppableError.stopped) { try await future?.get() }
    let lost = Promise<Int, Never>().future
    await #expect(throws: CancellationError.self) { try await lost.value(orCancelled: CancellationError()) }
  }

  @Test("get() of a released promise without a cancellation error stops the program, and reports its file and line")
  func stopsProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = await releasedPromise().get()
    }
    #expect(text(result).contains("Cannot wait for Future<Int, Never>(pending): "))
    #expect(text(result).contains("the promise created at \(#fileID):\(placeOfPromise) was released"))
    #expect(text(result).contains("wait with value(orCancelled:)"))
  }

  @Test("a wait for a future that is derived from a promise reports that promise when it is released")
  func derived() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let trigger = Promise<Void, Never>()
      let winner = [releasedPromise(after: trigger.future)].firstCompleted()
      let flattened = Future<Int, Never>(value: 1).flatMap(now) { _ in
        let adopting = Promise<Int, Never>()
        adopting.complete(with: Future(other: winner))
        return adopting.future
      }
      let all = [Future(value: 1), flattened.map(now) { $0 + 1 }].sequence().zip(Future<Int, Never>(value: 2))
      let task = Task.immediate { await all.get() }
      trigger.success(())
      _ = await task.value
    }
    #expect(text(result).contains("Cannot wait for Future<(Array<Int>, Int), Never>(pending): "))
    #expect(text(result).contains("the promise created at \(#fileID):\(placeOfPromise) was released"))
  }

  @Test("get() of an async names its type, and suggests only operations that an async has")
  func plainAsync() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = await Async<Int> { _ in }.get()
    }
    #expect(text(result).contains("Cannot wait for Async<Int>(nil): "))
    #expect(text(result).contains("a context discarded its work, or it is firstCompleted() of no futures"))
    #expect(!text(result).contains("error type") && !text(result).contains("orCancelled"))
  }

  private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }
}

/// Returns the future of a promise that is released when another future is completed.
private func releasedPromise(after trigger: Future<Void, Never> = Future(value: ())) -> Future<Int, Never> {
  let promise = Promise<Int, Never>()
  trigger.onComplete(now) { _ in _ = promise }
  return promise.future
}

/// The line of the promise in the function above.
private let placeOfPromise = #line - 6
