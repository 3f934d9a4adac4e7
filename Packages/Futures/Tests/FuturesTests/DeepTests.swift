import ParallelTesting
import Dispatch
import Foundation
import Futures
import Testing

/// Chains long enough that any recursion overflows the stack.
///
/// With `PROPERTY_COUNT=2` the longest has a million elements.
@Suite("However deep, nothing overflows the stack:")
struct DeepTests {
  static let isFull =
    ((try? PropertyEnvironment(variables: ProcessInfo.processInfo.environment))?.countMultiplier ?? 1) > 1
  static let longest = isFull ? 1_000_000 : 200_000
  static let long = isFull ? 100_000 : 50_000

  /// Counts down to zero, one future after the other.
  static func countDown(_ count: Int, in context: @escaping ExecutionContext) -> Future<Int, Never> {
    Future<Int, Never>(value: count).flatMap(context) { count in
      count == 0 ? Future(value: 0) : countDown(count - 1, in: context)
    }
  }

  @Test("recursive flatMap on completed futures, in the immediate context", arguments: [(long, 512), (longest, 8192)])
  func recursiveFlatMap(depth: Int, stackKilobytes: Int) async {
    #expect(
      await onThread(stackSize: stackKilobytes << 10) {
        Self.countDown(depth, in: immediateExecutionContext).value == 0
      }
    )
  }

  @Test("the same in a synchronous context of one's own", arguments: [(long, 512), (long, 8192)])
  func recursiveFlatMapInContext(depth: Int, stackKilobytes: Int) async {
    #expect(
      await onThread(stackSize: stackKilobytes << 10) { Self.countDown(depth, in: synchronousContext).value == 0 }
    )
  }

  @Test("the same with an asynchronous hop")
  func recursiveFlatMapWithHop() async {
    #expect(await Self.countDown(Self.long, in: TestQueue("hop").context).get() == 0)
    #expect(await Self.countDown(Self.long, in: DispatchQueue.global().context).get() == 0)
  }

  @Test("maps on one pending promise, one after the other", arguments: [immediateExecutionContext, synchronousContext])
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
    "flatMaps on one pending promise, one after the other", arguments: [immediateExecutionContext, synchronousContext])
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
    "maps and callbacks on one pending promise, side by side",
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

  @Test("callbacks in a context that drops the work at once, or all together later")
  func dropped() async {
    let (manual, log) = (ManualContext(), Log<Int>())
    await onThread {
      let promise = Promise<Int, Never>()
      for _ in 0..<Self.long { promise.future.onSuccess(droppingContext) { log.append($0) } }
      for _ in 0..<1_000 { promise.future.onSuccess(manual.context) { log.append($0) } }
      promise.future.onSuccess(immediateExecutionContext) { _ in log.append(2) }
      promise.success(1)
      while manual.takeFirst() != nil {}
    }
    #expect(log.all == [2])
  }

  @Test("promises completed in callbacks of one another, which are done before the outermost completion returns")
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

  @Test("turns that callbacks run which were called in turns before")
  func turnsInCallbacks() async {
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

  @Test("releasing an unfulfilled chain, from its promise or from its end")
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

  @Test("releasing promises that are held by callbacks of one another, or follow one another")
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

  @Test("handlers that cancel one another, and handlers of one promise")
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

  @Test("a sequence, completed from the front, from the back, or before")
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

  @Test("futures that follow one another through any asynchronous type")
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

  @Test("cancelling the last of very many maps, flatMaps or races", arguments: 0..<4)
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
