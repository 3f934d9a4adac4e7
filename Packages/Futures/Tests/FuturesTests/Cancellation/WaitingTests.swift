import ParallelTesting
import Dispatch
import Futures
import Testing

@Suite("A task that waits")
struct WaitingTests {
  typealias Stoppable = Work<Int, StoppableError>

  /// Starts a wait in a task, and comes back when it has begun.
  private func waiting<T: Sendable, Outcome: Sendable>(
    for future: T, _ wait: @escaping @Sendable (T) async -> Outcome
  ) -> Task<Outcome, Never> {
    Task.immediate { await wait(future) }
  }

  @Test("cancels the future when it is cancelled, and throws exactly the future's error")
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

  @Test("ends its own wait only, when others wait too; the last one cancels")
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

  @Test("that was cancelled before it began to wait does not wait")
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
      // Nothing comes of it but its end, when the task is cancelled.
      for await _ in AsyncStream<Never>.makeStream().stream {}
      return await Future<Int, Never>(value: 1).get()
    }
    completed.cancel()
    #expect(await completed.value == 1)
  }

  @Test("for a future that cannot say so waits for what the cancelled work comes to")
  func unrepresentable() async {
    let promise = Promise<Int, Never>()
    promise.onCancel { promise.success(-1) }
    let task = waiting(for: promise.future) { await $0.get() }
    task.cancel()
    #expect(await task.value == -1)
  }

  @Test("for a future that cannot say so goes on after the cancellation, until the work ends")
  func stubborn() async {
    let work = Work<Int, Never>()
    let task = waiting(for: work.future) { await $0.get() }
    task.cancel()
    #expect(work.stopCount == 1)
    work.promise.success(2)
    #expect(await task.value == 2)
  }

  @Test("waiting for a released promise stops the program if the error type cannot represent it")
  func droppedUnrepresentable() async {
    await #expect(processExitsWith: .failure) {
      let future = Promise<Int, Never>().future
      _ = await future.get()
    }
    await #expect(processExitsWith: .failure) {
      let future = Promise<Int, Never>().future
      _ = future.forced()
    }
  }

  @Test("can say how a cancelled wait ends, whatever the future's error")
  func orCancelled() async {
    let stubborn = Work<Int, Never>()
    let first = waiting(for: stubborn.future) { future -> CancellationError? in
      do throws(CancellationError) {
        _ = try await future.value(orCancelled: CancellationError())
        return nil
      } catch {
        return error
      }
    }
    first.cancel()
    #expect(await first.value != nil)
    #expect(stubborn.stopCount == 1)
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

  @Test("for what will never come does not wait for ever, where the error can say so")
  func dropped() async {
    var promise: Promise<Int, StoppableError>? = Promise()
    let future = promise?.future
    let task = waiting(for: future) { try? await $0?.get() }
    promise = nil
    #expect(await task.value == nil)
    await #expect(throws: StoppableError.stopped) { try await future?.get() }
    let lost = Promise<Int, Never>().future
    await #expect(throws: CancellationError.self) { try await lost.value(orCancelled: CancellationError()) }
  }

  @Test("ends with the result, when it is cancelled behind a callback whose context keeps it")
  func behindCallback() async {
    let shelf = Shelf()
    let (promise, never) = (Promise<Int, StoppableError>(), Promise<Int, Never>())
    promise.future.onComplete(shelf.context) { _ in }
    never.future.onComplete(shelf.context) { _ in }
    let tasks = [
      waiting(for: promise.future) { try? await $0.get() }, waiting(for: never.future) { await $0.get() as Int? },
    ]
    promise.success(1)
    never.success(2)
    for task in tasks { task.cancel() }
    #expect(await tasks[0].value == 1)
    #expect(await tasks[1].value == 2)
    shelf.runAll()
  }

  @Test("does not wait for a callback whose context keeps it, and neither does a thread that is blocked")
  func besideCallbacks() async {
    let shelf = Shelf()
    let promise = Promise<Int, StoppableError>()
    let log = Log<Int>()
    for index in 0..<3 { promise.future.onComplete(shelf.context) { _ in log.append(index) } }
    let task = waiting(for: promise.future) { try? await $0.get() }
    promise.future.onComplete(immediateExecutionContext) { _ in log.append(3) }
    let blocked = Box<Int?>(nil)
    await hammer(threads: 2) { thread, _ in
      if thread == 0 { blocked.value = promise.future.forced(.now() + 60)?.value } else { promise.success(1) }
    }
    #expect(blocked.value == 1)
    #expect(await task.value == 1)
    shelf.runAll()
    #expect(log.all == [3, 0, 1, 2])
  }

  @Test("that blocked a thread until its time came does not keep the work from being cancelled")
  func blockedUntil() async {
    let work = Stoppable()
    let other = work.future.map(immediateExecutionContext) { $0 }
    #expect(await onThread { work.future.forced(.now()) } == nil)
    other.cancel()
    #expect(work.stopCount == 1)
  }

  @Test("leaves nothing on a future that outlives it")
  func longLived() async {
    let census = Census()
    let promise = Promise<Int, StoppableError>()
    promise.future.onComplete(immediateExecutionContext) { _ in }
    for _ in 0..<200 {
      let task = waiting(for: (promise.future, census.object())) { try? await $0.0.get() }
      task.cancel()
      _ = await task.value
    }
    #expect(census.living == 0)
  }

  @Test("sees one end of it, when cancelled and completed at the same time", arguments: 0..<200)
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
