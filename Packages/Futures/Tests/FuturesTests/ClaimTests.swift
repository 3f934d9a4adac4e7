import ParallelTesting
import Dispatch
import Foundation
import Testing

@testable import Futures

@Suite("Between claiming and publishing")
struct ClaimTests {
  @Test("a completer that lost does not return, so that it never finds a future without a result")
  func loserWaits() async {
    let (returnedEarly, seen): (Bool, Int?) = await onThread {
      let promise = Promise<Int, Never>()
      let future = promise.future
      let isClaimed = future.claim()
      let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let seen = Box<Int??>(nil)
      startThread {
        begun.signal()
        _ = promise.trySuccess(2)
        seen.value = .some(future.value)
        ended.signal()
      }
      begun.wait()
      // Ample time for a loser that does not wait; one that waits is still there however long this takes.
      for _ in 0..<20_000 where seen.value == nil { sched_yield() }
      let returnedEarly = seen.value != nil || !isClaimed
      future.storage = .success(1)
      future.publishAndDeliver()
      ended.wait()
      return (returnedEarly, seen.value ?? nil)
    }
    #expect(!returnedEarly)
    #expect(seen == 1)
  }

  @Test("a future has no result yet, and takes listeners, which are told when it is published")
  func claimed() {
    let future = Promise<Int, Never>().future
    let pending = Future<Int, Never>(reaction: unexpectedReaction)
    let log = Log<Int>()
    #expect(pending.claim())
    pending.storage = .success(1)
    #expect(pending.result == nil)
    #expect(!pending.isCompleted)
    pending.onSuccess(immediateExecutionContext) { log.append($0) }
    #expect(log.all.isEmpty)
    pending.publishAndDeliver()
    #expect(log.all == [1])
    // An abandoned future cannot be completed, and a try does not wait for ever.
    #expect(!future.claim())
  }
}
