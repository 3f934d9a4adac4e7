import ParallelTesting
import Futures
import Testing

@Suite("The promise checker")
struct PromiseCheckerTests {
  private func dropped(_ body: () -> Void) -> [DroppedPromise] {
    let log = Log<DroppedPromise>()
    PromiseChecker.reporting(to: { log.append($0) }, operation: body)
    return log.all
  }

  @Test("names the place where a promise was made that was dropped unfulfilled")
  func names() {
    let line: UInt = #line + 1
    let found = dropped { _ = Promise<Int, TestError>().future }
    #expect(found.map(\.line) == [line])
    #expect(found.map(\.file) == [#fileID])
    #expect(found.first?.description.contains("created at \(#fileID):\(line) was released") == true)
  }

  @Test("says nothing of promises that were kept: completed or cancelled ones")
  func kept() {
    let found = dropped {
      Promise<Int, TestError>().success(1)
      Promise<Int, TestError>().failure(.first)
      let cancelled = Promise<Int, StoppableError>()
      cancelled.future.cancel()
      let promise = Promise<Int, TestError>()
      promise.complete(with: Future(value: 1))
    }
    #expect(found == [])
  }

  @Test("says nothing of what the library makes, nor of promises made where nobody asks")
  func others() async {
    var promise: Promise<Int, TestError>? = Promise()
    let found = dropped {
      promise = nil
      _ = InvalidationToken()
      _ = (0..<3).traverse(immediateExecutionContext, maxConcurrent: 1) { _ in Future<Int, TestError>(error: .first) }
    }
    #expect(found == [])
    _ = promise
  }

  @Test("reports a promise to whoever asked when it was made, wherever it is dropped")
  func elsewhere() async {
    let box = Box<Promise<Int, TestError>?>(nil)
    let log = Log<DroppedPromise>()
    PromiseChecker.reporting(to: { log.append($0) }) { box.value = Promise() }
    await onThread { box.value = nil }
    #expect(log.count == 1)
  }

  @Test("checks what an asynchronous closure makes, and the tasks that it creates, but no detached one")
  func asynchronously() async {
    let log = Log<DroppedPromise>()
    await PromiseChecker.reporting(to: { log.append($0) }) {
      _ = Promise<Int, TestError>()
      await Task { _ = Promise<Int, TestError>() }.value
      await Task.detached { _ = Promise<Int, TestError>() }.value
    }
    _ = Promise<Int, TestError>()
    #expect(log.count == 2)
  }
}
