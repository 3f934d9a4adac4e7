import BrightFuturesCompatibility
import Dispatch
import TestSupport
import Testing

@Suite("Invalidation tokens")
struct InvalidationTokenTests {
  @Test("an invalidated token prevents the callbacks in its contexts, but not those in other contexts")
  func invalidated() {
    let token = InvalidationToken()
    let promise = Promise<Int, Trouble>()
    let log = Log<String>()
    promise.future.onSuccess(token.validContext(now)) { log.append("valid \($0)") }
    promise.future.onSuccess(now) { log.append("always \($0)") }
    promise.future.onSuccess(token.validContext(now)) { _ in token.invalidate() }
    promise.future.onSuccess(token.validContext(now)) { _ in log.append("too late") }
    promise.future.onSuccess(now) { log.append("last \($0)") }
    promise.success(1)
    #expect(log.all == ["valid 1", "always 1", "last 1"])
    #expect(token.isInvalid)
    token.invalidate()
    #expect(token.future.error == .invalidationTokenInvalidated)
  }

  @Test("the validContext property of a token uses the default context")
  func defaultValidContext() async {
    let token = InvalidationToken()
    let promise = Promise<Int, Never>()
    Future<Int, Trouble>(value: 2).onSuccess(token.validContext) { promise.success($0) }
    #expect(await promise.future.get() == 2)
    #expect(!token.isInvalid && !token.future.isCompleted)
  }

  @Test("no callback of a serial queue runs after invalidate() has returned on that queue")
  func exactInOneContext() {
    let queue = DispatchQueue(label: "token")
    let log = Log<String>()
    for _ in 0..<100 {
      let token = InvalidationToken()
      let promise = Promise<Int, Trouble>()
      promise.future.onSuccess(token.validContext(queue.context)) { _ in
        if token.isInvalid { log.append("too late") }
      }
      DispatchQueue.global().async { promise.success(1) }
      queue.sync { token.invalidate() }
    }
    queue.sync {}
    #expect(log.all == [])
  }
}
