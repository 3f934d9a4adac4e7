import BrightFuturesCompatibility
import Dispatch
import TestSupport
import Testing

@Suite("Delays by an interval of Dispatch")
struct DelayTests {
  @Test("a delay completes asynchronously on the given queue, also when the interval is zero")
  func onQueue() async {
    let queue = MarkedQueue(DispatchQueue(label: "delay"))
    queue.queue.suspend()
    let delayed = Future<Int, Trouble>(value: 1).delay(queue.queue, interval: .nanoseconds(0))
    let log = Log<Bool>()
    delayed.onComplete(now) { _ in log.append(queue.isCurrent) }
    #expect(!delayed.isCompleted)
    queue.queue.resume()
    #expect(await log.first(1) == [true])
  }

  @Test("a delay by never does not complete")
  func never() {
    #expect(!Future<Int, Trouble>(value: 1).delay(.never).isCompleted)
  }

  @Test("cancelling a delayed future stops the work")
  func cancelled() {
    let promise = Promise<Int, any Error>()
    promise.onCancel { promise.failure(Trouble.first) }
    promise.future.delay(.seconds(60)).cancel()
    #expect(promise.future.error as? Trouble == .first)
  }
}
