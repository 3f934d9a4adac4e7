import Dispatch
import Parallel
import TestSupport
import Testing

/// A page with a weak delegate, like a web view.
private final class Page: @unchecked Sendable {
  // Unchecked: each test uses its pages on one thread at a time.
  weak var delegate: PageDelegate?

  func finishLoading() { delegate?.pageDidFinish(self) }
}

private final class PageDelegate: Sendable {
  private let counted: CountedObject
  private let callback: @Sendable () -> Void

  init(in counter: ObjectCounter, callback: @escaping @Sendable () -> Void) {
    counted = CountedObject(in: counter)
    self.callback = callback
  }

  func pageDidFinish(_ page: Page) { callback() }
}

/// A delegate that retains its callback.
private final class CallbackHolder: Sendable {
  private let callback: Parallel<Int>.Callback
  private let counted: CountedObject

  init(_ callback: @escaping Parallel<Int>.Callback, in counter: ObjectCounter) {
    self.callback = callback
    counted = CountedObject(in: counter)
  }
}

@Suite("Parallel.delegate")
struct DelegateTests {
  let counter = ObjectCounter()
  let log = Log<String>()

  private func snapshot(of page: Page) -> Parallel<String> {
    .delegate { [counter] callback in
      let delegate = PageDelegate(in: counter) { callback("snapshot") }
      page.delegate = delegate
      return delegate
    }
  }

  @Test("Parallel.delegate keeps a delegate alive until it calls back")
  func keptAlive() {
    let page = Page()
    snapshot(of: page).run { [log] in log.append($0) }
    #expect(counter.liveCount == 1)
    page.finishLoading()
    #expect(log.all == ["snapshot"])
    #expect(counter.liveCount == 0)
    #expect(page.delegate == nil)
  }

  @Test("a delegate that calls back while it is created is released although it retains its callback")
  func callsBackAtOnceAndKeepsItsCallback() {
    Parallel<Int>.delegate { [counter] callback in
      let delegate = CallbackHolder(callback, in: counter)
      callback(1)
      return delegate
    }
    .run { [log] in log.append("\($0)") }
    #expect(log.all == ["1"])
    #expect(counter.liveCount == 0)
  }

  @Test("a delegate that calls back on another thread while it is created is released")
  func stress() async throws {
    // The last callback may still be returning when its value has arrived, so wait for the group.
    let callbacks = DispatchGroup()
    for _ in 1...500 {
      _ = try await Parallel<Int>.delegate { [counter] callback in
        let delegate = CountedObject(in: counter)
        DispatchQueue.global().async(group: callbacks) { callback(1) }
        return delegate
      }
      .map { $0 }.value()
    }
    await withCheckedContinuation { continuation in
      callbacks.notify(queue: .global()) { continuation.resume() }
    }
    #expect(counter.liveCount == 0)
  }
}
