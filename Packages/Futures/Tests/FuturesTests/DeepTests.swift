import TestSupport
import Dispatch
import Foundation
import Futures
import Testing

/// Chains that are long enough to overflow the stack of a recursive implementation.
@Suite("Long chains of futures on a small stack")
struct DeepTests {
  static let longest = 100_000
  static let long = 10_000

  static func countDown(_ count: Int, in context: @escaping ExecutionContext) -> Future<Int, Never> {
    Future<Int, Never>(value: count).flatMap(context) { count in
      count == 0 ? Future(value: 0) : countDown(count - 1, in: context)
    }
  }

  @Test(
    "a recursive flatMap on completed futures in the immediate context does not overflow the stack",
    arguments: [(long, 512), (longest, 8192)])
  func recursiveFlatMap(depth: Int, stackKilobytes: Int) async {
    #expect(
      await onThread(stackSize: stackKilobytes << 10) {
        Self.countDown(depth, in: immediateExecutionContext).value == 0
      }
    )
  }

  @Test(
    "a recursive flatMap in a custom synchronous context does not overflow the stack",
    arguments: [(long, 512), (long, 8192)])
  func recursiveFlatMapInContext(depth: Int, stackKilobytes: Int) async {
    #expect(
      await onThread(stackSize: stackKilobytes << 10) { Self.countDown(depth, in: synchronousContext).value == 0 }
    )
  }

  @Test("a recursive flatMap on a dispatch queue does not overflow the stack")
  func recursiveFlatMapOnQueue() async {
    #expect(await Self.countDown(Self.long, in: TestQueue("serial").context).get() == 0)
    #expect(await Self.countDown(Self.long, in: DispatchQueue.global().context).get() == 0)
  }

  @Test(
    "completing a promise runs a long chain of maps without overflowing the stack",
    arguments: [immediateExecutionContext, synchronousContext])
  func maps(context: @escaping ExecutionContext) async {
    let value = await onThread {
      let promise = Promise<Int, Never>()
      var end = promise.future
      for _ in 0..<Self.long { end = end.map(context) { $0 + 1 } }
      promise.success(0)
      return end.value
    }
    #expect(value == Self.long)
  }

  @Test(
    "completing a promise runs a long chain of flatMaps without overflowing the stack",
    arguments: [immediateExecutionContext, synchronousContext])
  func flatMaps(context: @escaping ExecutionContext) async {
    let value = await onThread {
      let promise = Promise<Int, Never>()
      var end = promise.future
      for _ in 0..<Self.long { end = end.flatMap(context) { Future(value: $0 + 1) } }
      promise.success(0)
      return end.value
    }
    #expect(value == Self.long)
  }

  @Test(
    "completing a promise with very many maps and callbacks does not overflow the stack",
    arguments: [immediateExecutionContext, synchronousContext])
  func fan(context: @escaping ExecutionContext) async {
    let sum = await onThread {
      let promise = Promise<Int, Never>()
      let sum = Box(0)
      for _ in 0..<Self.long / 2 {
        promise.future.onSuccess(context) { value in sum.update { $0 += value } }
        promise.future.map(context) { $0 }.onSuccess(context) { value in sum.update { $0 += value } }
      }
      promise.success(1)
      return sum.value
    }
    #expect(sum == Self.long)
  }

  @Test("very many callbacks whose contexts discard the work do not overflow the stack")
  func discarded() async {
    let (manual, log) = (ManualContext(), Log<Int>())
    await onThread {
      let promise = Promise<Int, Never>()
      for _ in 0..<Self.long { promise.future.onSuccess(discardingContext) { log.append($0) } }
      for _ in 0..<1_000 { promise.future.onSuccess(manual.context) { log.append($0) } }
      promise.future.onSuccess(immediateExecutionContext) { _ in log.append(2) }
      promise.success(1)
      while manual.takeFirst() != nil {}
    }
    #expect(log.all == [2])
  }

  @Test("a long chain of promises, each completed in a callback of the last, ends before the first completion returns")
  func promisesInCallbacks() async {
    let value = await onThread {
      let first = Promise<Int, Never>()
      var last = first
      for _ in 0..<Self.long {
        let next = Promise<Int, Never>()
        last.future.onSuccess(immediateExecutionContext) { next.success($0 + 1) }
        last = next
      }
      first.success(0)
      return last.future.value
    }
    #expect(value == Self.long)
  }

  @Test("callbacks that run the deferred work of other futures do not overflow the stack")
  func deferredWorkInCallbacks() async {
    let count = await onThread {
      let manual = ManualContext()
      let log = Log<Int>()
      for index in 0..<Self.long {
        let promise = Promise<Int, Never>()
        Future<Int, Never>(value: index).onSuccess(manual.context) { promise.success($0) }
        promise.future.onSuccess(immediateExecutionContext) {
          log.append($0)
          manual.takeLast()?()
        }
      }
      manual.takeLast()?()
      return log.count
    }
    #expect(count == Self.long)
  }

  @Test("releasing a long pending chain does not overflow the stack, whether the promise or the last future goes first")
  func release() async {
    let counter = ObjectCounter()
    await onThread {
      for holdsEnd in [true, false] {
        var promise: Promise<Int, Never>? = Promise()
        var end = promise?.future
        for index in 0..<Self.long {
          end =
            index.isMultiple(of: 2)
            ? end?.map(immediateExecutionContext) { $0 } : end?.flatMap(synchronousContext) { Future(value: $0) }
        }
        end?.onSuccess(immediateExecutionContext) { [object = counter.object()] _ in _ = object }
        if !holdsEnd { end = nil }
        promise = nil
        if holdsEnd { end = nil }
      }
    }
    #expect(counter.liveCount == 0)
  }

  @Test("releasing a long chain of promises that callbacks hold or that follow each other does not overflow the stack")
  func releasePromises() async {
    let counter = ObjectCounter()
    await onThread {
      for follows in [true, false] {
        var last: Promise<Int, Never>? = Promise()
        last?.future.onSuccess(immediateExecutionContext) { [object = counter.object()] _ in _ = object }
        for _ in 0..<Self.long {
          let next = Promise<Int, Never>()
          if follows {
            last?.complete(with: next.future)
          } else {
            next.future.onSuccess(immediateExecutionContext) { [last] in last?.success($0) }
          }
          last = next
        }
      }
    }
    #expect(counter.liveCount == 0)
  }

  @Test(
    "completing promises with each other from the last to the first costs constant time for each",
    .timeLimit(.minutes(1)))
  func reverseOrder() {
    let promises = (0..<Self.long).map { _ in Promise<Int, Never>() }
    for promise in promises { promise.future.onComplete(immediateExecutionContext) { _ in } }
    for (promise, next) in zip(promises, promises.dropFirst()).reversed() { promise.complete(with: next.future) }
    promises.last?.success(1)
    #expect(promises.first?.future.value == 1)
  }

  @Test(
    "releasing a long chain of futures whose functions capture other futures does not overflow the stack",
    arguments: [true, false])
  func releaseCaptures(isCancelled: Bool) async {
    let counter = ObjectCounter()
    await onThread {
      let promise = Promise<Int, StoppableError>()
      var (future, captured) = (promise.future, promise.future)
      promise.future.onComplete(immediateExecutionContext) { [object = counter.object()] _ in _ = object }
      for _ in 0..<Self.long {
        // The first function returns its own source, the second one a future of another chain.
        future = future.recoverWith(immediateExecutionContext) { [future] _ in future }
        captured = promise.future.recoverWith(immediateExecutionContext) { [captured] _ in captured }
      }
      if isCancelled {
        future.cancel()
        captured.cancel()
      }
    }
    #expect(counter.liveCount == 0)
  }

  @Test(
    "a long chain of nested retries completes and is released without overflowing the stack", arguments: [true, false])
  func nestedRetries(isCompleted: Bool) async {
    let counter = ObjectCounter()
    let value = await onThread {
      let promise = Promise<Int, any Error>()
      var end = promise.future
      promise.future.onComplete(immediateExecutionContext) { [object = counter.object()] _ in _ = object }
      for _ in 0..<Self.long / 10 {
        end = retry(RetryPolicy(attempts: 2, backoff: .none)) { [end] _ in end }
      }
      if isCompleted { promise.success(1) }
      return end.value
    }
    #expect(value == (isCompleted ? 1 : nil))
    #expect(counter.liveCount == 0)
  }

  @Test("very many cancellation handlers, nested or on one promise, do not overflow the stack")
  func handlers() async {
    let error = await onThread {
      let promises = (0..<Self.long).map { _ in Promise<Int, StoppableError>() }
      for (promise, next) in zip(promises, promises.dropFirst()) { promise.onCancel { next.future.cancel() } }
      promises[0].future.cancel()
      return promises.last?.future.error
    }
    #expect(error == .stopped)
    let count = await onThread {
      let promise = Promise<Int, StoppableError>()
      let count = Box(0)
      for _ in 0..<Self.long { promise.onCancel { count.update { $0 += 1 } } }
      promise.future.cancel()
      return count.value
    }
    #expect(count == Self.long)
  }

  @Test("a sequence of very many futures completes without overflowing the stack, in any order of completion")
  func sequence() async {
    for order in ["front", "back", "before"] {
      let count = await onThread {
        let promises = (0..<Self.long).map { _ in Promise<Int, Never>() }
        if order == "before" { for promise in promises { promise.success(1) } }
        let sequence = promises.map(\.future).sequence()
        if order == "front" { for promise in promises { promise.success(1) } }
        if order == "back" { for promise in promises.reversed() { promise.success(1) } }
        return sequence.value?.count
      }
      #expect(count == Self.long)
    }
    #expect((0..<Self.longest).map { Future<Int, Never>(value: $0) }.sequence().value?.count == Self.longest)
  }

  @Test("completing a promise completes a long chain of Future(other:) without overflowing the stack")
  func others() async {
    let value = await onThread {
      let promise = Promise<Int, Never>()
      var end = promise.future
      for _ in 0..<Self.long { end = Future(other: end) }
      promise.success(3)
      return end.value
    }
    #expect(value == 3)
  }

  @Test(
    "cancelling the last future of a long chain stops the work at its start without overflowing the stack",
    arguments: 0..<4)
  func cancel(kind: Int) async {
    let isCancelled = await onThread { () -> Bool in
      let work = Work<Int, StoppableError>()
      var end = work.future
      for _ in 0..<Self.long {
        switch kind {
        case 0: end = end.map(immediateExecutionContext) { $0 }
        case 1: end = end.flatMap(immediateExecutionContext) { Future(value: $0) }
        case 2: end = [end].firstCompleted()
        default: end = Future(value: end).flatten()
        }
      }
      end.cancel()
      return end.error == .stopped && work.stopCount == 1
    }
    #expect(isCancelled)
  }
}
