import TestSupport
import Foundation
import Futures
import Testing

@Suite("Promises and futures that several threads use concurrently")
struct StressTests {
  @Test("exactly one of several concurrent completions succeeds, and all threads then see its result")
  func oneWinner() async {
    for round in 0..<200 {
      let promise = Promise<Int, TestError>()
      let (winners, seen) = (Log<Int>(), Log<Int?>())
      await hammer(threads: 4) { thread, _ in
        if promise.trySuccess(thread) { winners.append(thread) }
        seen.append(promise.future.value)
      }
      #expect(winners.count == 1, "round \(round)")
      #expect(seen.all == Array(repeating: winners.all.first, count: 4))
    }
  }

  @Test("each of many promises is completed exactly once by competing threads")
  func oneWinnerEach() async {
    let promises = (0..<20_000).map { _ in Promise<Int, TestError>() }
    let wins = Box(0)
    let missing = Box(0)
    await hammer(threads: 4) { thread, _ in
      for promise in promises {
        if promise.trySuccess(thread) { wins.update { $0 += 1 } }
        if promise.future.value == nil { missing.update { $0 += 1 } }
      }
    }
    #expect(wins.value == promises.count)
    #expect(missing.value == 0)
  }

  @Test("callbacks registered while another thread completes the promise are called once each")
  func registeringAgainstCompleting() async {
    for context in [immediateExecutionContext, synchronousContext] {
      for _ in 0..<100 {
        let promise = Promise<Int, TestError>()
        let calls = Log<Int>()
        await hammer(threads: 4) { thread, _ in
          if thread == 0 { return promise.success(1) }
          for index in 0..<100 {
            promise.future.onSuccess(context) { _ in
              calls.append(thread * 1000 + index)
            }
          }
        }
        #expect(calls.count == 300)
        #expect(Set(calls.all).count == 300)
      }
    }
  }

  @Test(
    "an immediate transform of a completed future runs on its caller before map returns when eight threads call map")
  func immediateMaps() async {
    let future = Future<Int, TestError>(value: 1)
    let others = Box(0)
    let pending = Box(0)
    await hammer(threads: 8) { _, _ in
      for _ in 0..<1_000 {
        let caller = ObjectIdentifier(Thread.current)
        let mapped = future.map(immediateExecutionContext) { number in
          if ObjectIdentifier(Thread.current) != caller { others.update { $0 += 1 } }
          return number
        }
        if !mapped.isCompleted { pending.update { $0 += 1 } }
      }
    }
    #expect(others.value == 0)
    #expect(pending.value == 0)
  }

  @Test("transforms and sequences created while another thread completes the promise run once and complete")
  func derivingAgainstCompleting() async {
    for _ in 0..<100 {
      let promise = Promise<Int, TestError>()
      let runs = Box(0)
      let made = Log<Future<Int, TestError>>()
      await hammer(threads: 4) { thread, _ in
        if thread == 0 { return promise.success(1) }
        for index in 0..<50 {
          let context = index.isMultiple(of: 2) ? immediateExecutionContext : synchronousContext
          let mapped = promise.future.map(context) { value in
            runs.update { $0 += 1 }
            return value
          }
          made.append(mapped.flatMap(context) { Future(value: $0) })
          made.append([mapped, promise.future].sequence().map(context) { $0.reduce(0, +) - 1 })
        }
      }
      #expect(runs.value == 150)
      #expect(made.all.allSatisfy { $0.value == 1 })
    }
  }

  @Test("releasing a promise while other threads register and derive releases all objects")
  func releasingAgainstRegistering() async {
    let counter = ObjectCounter()
    for _ in 0..<100 {
      let promise = Box<Promise<Int, TestError>?>(Promise())
      let future = promise.value?.future
      await hammer(threads: 3) { thread, _ in
        if thread == 0 { return promise.value = nil }
        for _ in 0..<50 {
          future?.onSuccess(immediateExecutionContext) { [object = counter.object(), future] _ in _ = (object, future) }
          let mapped = future?.map(synchronousContext) { [object = counter.object()] value in (value, object).0 }
          mapped?.onSuccess(immediateExecutionContext) { [object = counter.object(), mapped] _ in _ = (object, mapped) }
          if let mapped { _ = [mapped].sequence().map(synchronousContext) { [object = counter.object()] _ in object } }
        }
      }
      #expect(counter.liveCount == 0)
    }
  }
}
