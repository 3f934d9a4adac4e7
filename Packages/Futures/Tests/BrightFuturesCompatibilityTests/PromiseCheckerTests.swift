import BrightFuturesCompatibility
import TestSupport
import Testing

@Suite("The promise checker")
struct PromiseCheckerTests {
  private func reports(_ body: () -> Void) -> [DroppedPromise] {
    let log = Log<DroppedPromise>()
    PromiseChecker.reporting(to: { log.append($0) }, operation: body)
    return log.all
  }

  @Test("the promise checker reports the source location of a promise that was released unfulfilled")
  func location() {
    let line: UInt = #line + 1
    let found = reports { _ = Promise<Int, Trouble>().future }
    #expect(found.map(\.line) == [line])
    #expect(found.map(\.file) == [#fileID])
    #expect(found.first?.description.contains("created at \(#fileID):\(line) was released") == true)
  }

  @Test("the promise checker does not report completed or cancelled promises")
  func completed() {
    let found = reports {
      Promise<Int, Trouble>().success(1)
      Promise<Int, Trouble>().failure(.first)
      let cancelled = Promise<Int, any Error>()
      cancelled.future.cancel()
      let promise = Promise<Int, Trouble>()
      promise.complete(with: Future(value: 1))
    }
    #expect(found == [])
  }

  @Test("the promise checker does not report promises of the library or promises created outside it")
  func unchecked() async {
    var promise: Promise<Int, Trouble>? = Promise()
    let found = reports {
      promise = nil
      _ = InvalidationToken()
      _ = (0..<3).traverse(immediateExecutionContext, maxConcurrent: 1) { _ in Future<Int, Trouble>(error: .first) }
    }
    #expect(found == [])
    _ = promise
  }

  @Test("a promise that is released on another thread is reported to the checker of its creation")
  func releasedOnAnotherThread() async {
    let log = Log<DroppedPromise>()
    let trigger = Promise<Int, Never>()
    PromiseChecker.reporting(to: { log.append($0) }) {
      let promise = Promise<Int, Trouble>()
      trigger.future.onComplete(now) { _ in _ = promise }
    }
    #expect(log.count == 0)
    await onThread { trigger.success(1) }
    #expect(log.count == 1)
  }

  @Test("the promise checker covers an asynchronous closure and its tasks, but not its detached tasks")
  func asynchronously() async {
    let log = Log<DroppedPromise>()
    await PromiseChecker.reporting(to: { log.append($0) }) {
      _ = Promise<Int, Trouble>()
      await Task { _ = Promise<Int, Trouble>() }.value
      await Task.detached { _ = Promise<Int, Trouble>() }.value
    }
    _ = Promise<Int, Trouble>()
    #expect(log.count == 2)
  }
}
