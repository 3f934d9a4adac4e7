import TestSupport
import Dispatch
import Futures
import Testing

@Suite("Tasks that wait for a future")
struct WaitingTests {
  typealias Stoppable = Work<Int, StoppableError>

  /// Starts a task that waits, and returns when it has started to wait.
  private func waiting<T: Sendable, Outcome: Sendable>(
    for future: T, _ wait: @escaping @Sendable (T) async -> Outcome
  ) -> Task<Outcome, Never> {
    Task.immediate { await wait(future) }
  }

  @Test("cancelling the only waiting task cancels the future, and get() throws the future's error type")
  func cancelled() async {
    let work = Stoppable()
    let task = waiting(for: work.future) { future -> StoppableError? in
      do throws(StoppableError) {
        _ = try await future.get()
        return nil
      } catch {
        return error
      }
    }
    task.cancel()
    #expect(await task.value == .stopped)
    #expect(work.future.error == .stopped)
    #expect(work.stopCount == 1)
  }

  @Test("only the last cancelled task of several cancels the future")
  func others() async {
    let work = Stoppable()
    let tasks = (0..<3).map { _ in waiting(for: work.future) { try? await $0.get() } }
    tasks[1].cancel()
    #expect(await tasks[1].value == nil)
    #expect(!work.future.isCompleted)
    tasks[0].cancel()
    #expect(await tasks[0].value == nil)
    #expect(work.stopCount == 0)
    tasks[2].cancel()
    #expect(await tasks[2].value == nil)
    #expect(work.stopCount == 1)
  }

  @Test("a task that was cancelled before get() does not wait")
  func before() async {
    let work = Stoppable()
    let (gate, open) = AsyncStream<Void>.makeStream()
    let task = Task { () -> Int? in
      for await _ in gate { break }
      return try? await work.future.get()
    }
    task.cancel()
    open.yield()
    #expect(await task.value == nil)
    #expect(work.stopCount == 1)
    let completed = Task { () -> Int in
      // This stream ends only when the task is cancelled.
      for await _ in AsyncStream<Never>.makeStream().stream {}
      return await Future<Int, Never>(value: 1).get()
    }
    completed.cancel()
    #expect(await completed.value == 1)
  }

  @Test("a cancelled task in get() of a future that cannot fail returns the value of the cancelled work")
  func withoutCancellationValue() async {
    let promise = Promise<Int, Never>()
    promise.onCancel { promise.success(-1) }
    let task = waiting(for: promise.future) { await $0.get() }
    task.cancel()
    #expect(await task.value == -1)
  }

  @Test("a cancelled task in get() of a future that cannot fail waits until the work ends")
  func withoutCancellationValueLater() async {
    let work = Work<Int, Never>()
    let task = waiting(for: work.future) { await $0.get() }
    task.cancel()
    #expect(work.stopCount == 1)
    work.promise.success(2)
    #expect(await task.value == 2)
  }

  @Test("value(orCancelled:) throws the given error when its task is cancelled, for any error type")
  func orCancelled() async {
    let infallible = Work<Int, Never>()
    let first = waiting(for: infallible.future) { future -> CancellationError? in
      do throws(CancellationError) {
        _ = try await future.value(orCancelled: CancellationError())
        return nil
      } catch {
        return error
      }
    }
    first.cancel()
    #expect(await first.value != nil)
    #expect(infallible.stopCount == 1)
    let failing = Work<Int, TestError>()
    let second = waiting(for: failing.future) { future -> TestError? in
      do throws(TestError) {
        _ = try await future.value(orCancelled: .numbered(9))
        return nil
      } catch {
        return error
      }
    }
    second.cancel()
    #expect(await second.value == .numbered(9))
    #expect(!failing.future.isCompleted)
    failing.promise.failure(.second)
    await #expect(throws: TestError.second) { try await failing.future.value(orCancelled: .first) }
    #expect(await (try? Future<Int, Never>(value: 3).value(orCancelled: CancellationError())) == 3)
  }

  @Test("value(orCancelled:) throws the given error also if its cancellation completes the future")
  func orCancelledByLastWaiter() async {
    let work = Stoppable()
    let task = waiting(for: work.future) { future -> StoppableError? in
      do throws(StoppableError) {
        _ = try await future.value(orCancelled: .failed)
        return nil
      } catch {
        return error
      }
    }
    task.cancel()
    #expect(await task.value == .failed)
    #expect(work.future.error == .stopped)
    let promise = Promise<Int, Never>()
    promise.onCancel { promise.success(-1) }
    let second = waiting(for: promise.future) { try? await $0.value(orCancelled: CancellationError()) }
    second.cancel()
    #expect(await second.value == nil)
    #expect(promise.future.value == -1)
  }

  @Test("waiting for a released promise throws the cancellation error if the error type has one")
  func released() async {
    var promise: Promise<Int, StoppableError>? = Promise()
    let future = promise?.future
    let task = waiting(for: future) { try? await $0?.get() }
    promise = nil
    #expect(await task.value == nil)
    await #expect(throws: StoppableError.stopped) { try await future?.get() }
    let lost = Promise<Int, Never>().future
    await #expect(throws: CancellationError.self) { try await lost.value(orCancelled: CancellationError()) }
  }

  @Test("a task cancelled after completion gets the result while earlier callbacks still wait for their context")
  func cancelledAfterCompletion() async {
    let manual = ManualContext()
    let (promise, never) = (Promise<Int, StoppableError>(), Promise<Int, Never>())
    promise.future.onComplete(manual.context) { _ in }
    never.future.onComplete(manual.context) { _ in }
    let tasks = [
      waiting(for: promise.future) { try? await $0.get() }, waiting(for: never.future) { await $0.get() as Int? },
    ]
    promise.success(1)
    never.success(2)
    for task in tasks { task.cancel() }
    #expect(await tasks[0].value == 1)
    #expect(await tasks[1].value == 2)
    manual.runAll()
  }

  @Test("tasks in get() do not wait for callbacks in a deferring context")
  func deferringContext() async {
    let manual = ManualContext()
    let promise = Promise<Int, StoppableError>()
    let log = Log<Int>()
    for index in 0..<3 { promise.future.onComplete(manual.context) { _ in log.append(index) } }
    let task = waiting(for: promise.future) { try? await $0.get() }
    promise.future.onComplete(immediateExecutionContext) { _ in log.append(3) }
    promise.success(1)
    #expect(await task.value == 1)
    manual.runAll()
    #expect(log.all == [3, 0, 1, 2])
  }

  @Test("cancelled tasks leave nothing on a long-lived future")
  func longLived() async {
    let counter = ObjectCounter()
    let promise = Promise<Int, StoppableError>()
    promise.future.onComplete(immediateExecutionContext) { _ in }
    for _ in 0..<200 {
      let task = waiting(for: (promise.future, counter.object())) { try? await $0.0.get() }
      task.cancel()
      _ = await task.value
    }
    #expect(counter.liveCount == 0)
  }

  @Test("a task that is cancelled while its future completes gets the future's result", arguments: 0..<200)
  func race(index: Int) async {
    let work = Stoppable()
    let task = waiting(for: work.future) { future in
      do throws(StoppableError) { return Result<Int, StoppableError>.success(try await future.get()) } catch {
        return .failure(error)
      }
    }
    await hammer(threads: 2) { thread, _ in
      if thread == 0 { task.cancel() } else { work.promise.success(1) }
    }
    let result = await task.value
    #expect(result == work.future.result)
    #expect(result == .success(1) || result == .failure(.stopped))
  }
}
