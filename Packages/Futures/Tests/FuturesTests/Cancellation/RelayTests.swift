import Testing

@testable import Futures

@Suite("Callbacks that relay a result to another async")
struct RelayTests {
  @Test("a relay is not called when its target has just completed")
  func completedTarget() {
    let (source, target) = (Promise<Int, StoppableError>(), Promise<Int, StoppableError>())
    source.future.onComplete(immediateExecutionContext) { target.complete($0) }
    source.future.relay(to: target.future) { Issue.record("called with \($0)") }
    source.success(1)
    #expect(target.future.value == 1)
  }

  @Test("an observing callback is released when its target completes, and does not cancel the source")
  func completedTargetOfObserver() {
    let counter = ObjectCounter()
    let (source, target) = (Work<Int, StoppableError>(), Promise<Int, StoppableError>())
    source.future.observe(until: target.future) { [object = counter.object()] _ in _ = object }
    #expect(counter.liveCount == 1)
    target.success(1)
    #expect(counter.liveCount == 0)
    #expect(source.stopCount == 0)
  }

  @Test("a relay leaves its source when its target can never complete")
  func releasedTarget() {
    let source = Work<Int, StoppableError>()
    var target: Promise<Int, StoppableError>? = Promise()
    if let future = target?.future { source.future.relay(to: future) { _ in } }
    #expect(source.stopCount == 0)
    target = nil
    #expect(source.stopCount == 1)
  }

  @Test("a pending target does not retain completed sources", arguments: [true, false])
  func completedSources(isAwaited: Bool) {
    let target = Promise<Int, StoppableError>()
    let sources = (0..<100).map { _ in
      let source = Promise<Int, StoppableError>()
      if isAwaited { source.future.relay(to: target.future) { _ in } }
      if !isAwaited { source.future.observe(until: target.future) { _ in } }
      source.success(1)
      return Weak(source.future)
    }
    #expect(sources.filter { $0.object != nil }.count <= 8)
    withExtendedLifetime(target) {}
  }
}
