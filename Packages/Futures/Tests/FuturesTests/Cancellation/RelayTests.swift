import Testing

@testable import Futures

@Suite("A callback on behalf of another async")
struct RelayTests {
  @Test("is not called when that one has ended just before")
  func ended() {
    let (source, target) = (Promise<Int, StoppableError>(), Promise<Int, StoppableError>())
    source.future.onComplete(immediateExecutionContext) { target.complete($0) }
    source.future.relay(to: target.future) { Issue.record("called with \($0)") }
    source.success(1)
    #expect(target.future.value == 1)
  }

  @Test("is taken out of the list when that one has ended, also where that one does not wait for it")
  func tidied() {
    let census = Census()
    let (source, target) = (Work<Int, StoppableError>(), Promise<Int, StoppableError>())
    source.future.signal(to: target.future) { [object = census.object()] _ in _ = object }
    #expect(census.living == 1)
    target.success(1)
    #expect(census.living == 0)
    #expect(source.stopCount == 0)
  }

  @Test("wants nothing any more when that one can never end")
  func abandoned() {
    let source = Work<Int, StoppableError>()
    var target: Promise<Int, StoppableError>? = Promise()
    if let future = target?.future { source.future.relay(to: future) { _ in } }
    #expect(source.stopCount == 0)
    target = nil
    #expect(source.stopCount == 1)
  }

  @Test("does not keep what is over for as long as that one is under way", arguments: [true, false])
  func over(isAwaited: Bool) {
    let target = Promise<Int, StoppableError>()
    let sources = (0..<100).map { _ in
      let source = Promise<Int, StoppableError>()
      if isAwaited { source.future.relay(to: target.future) { _ in } }
      if !isAwaited { source.future.signal(to: target.future) { _ in } }
      source.success(1)
      return Weak(source.future)
    }
    #expect(sources.filter { $0.object != nil }.count <= 8)
    withExtendedLifetime(target) {}
  }
}
