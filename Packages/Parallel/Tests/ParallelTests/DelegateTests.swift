import Dispatch
import Parallel
import ParallelTesting
import Testing

/// The shape of a web view: it holds its delegate weakly, and tells it when the page is there.
private final class Page: @unchecked Sendable {
  // Unchecked: each test uses its pages on one thread at a time.
  weak var delegate: PageDelegate?

  func finishLoading() { delegate?.pageDidFinish(self) }
}

private final class PageDelegate: Sendable {
  private let tracked: Tracked
  private let callback: @Sendable () -> Void

  init(in census: Census, callback: @escaping @Sendable () -> Void) {
    tracked = Tracked(in: census)
    self.callback = callback
  }

  func pageDidFinish(_ page: Page) { callback() }
}

/// A delegate that keeps its callback until it is told to forget it.
private final class Forgetful: @unchecked Sendable {
  // Unchecked: used on one thread.
  var callback: Parallel<Int>.Callback?
  private let tracked: Tracked

  init(_ callback: @escaping Parallel<Int>.Callback, in census: Census) {
    self.callback = callback
    tracked = Tracked(in: census)
  }
}

private final class WeakReference<Object: AnyObject>: @unchecked Sendable {
  // Unchecked: used on one thread.
  weak var object: Object?
}

@Suite("Delegates")
struct DelegateTests {
  let census = Census()
  let log = Log<String>()

  @Test("regression: written with init(_:), a delegate that is held weakly dies before it can answer")
  func naive() {
    let page = Page()
    Parallel<String> { [census] callback in
      let delegate = PageDelegate(in: census) { callback("snapshot") }
      page.delegate = delegate
    }
    .run { [log] in log.append($0) }
    #expect(page.delegate == nil)
    page.finishLoading()
    #expect(log.all.isEmpty)
  }

  private func snapshot(of page: Page) -> Parallel<String> {
    .delegate { [census] callback in
      let delegate = PageDelegate(in: census) { callback("snapshot") }
      page.delegate = delegate
      return delegate
    }
  }

  @Test("is kept alive until it answers, and released then")
  func keptAlive() {
    let page = Page()
    snapshot(of: page).run { [log] in log.append($0) }
    #expect(census.population == 1)
    page.finishLoading()
    #expect(log.all == ["snapshot"])
    #expect(census.population == 0)
    #expect(page.delegate == nil)
  }

  @Test("is made anew in each run, and each is held by its own")
  func eachRun() {
    let (first, second) = (Page(), Page())
    snapshot(of: first).run { [log] _ in log.append("first") }
    snapshot(of: second).run { [log] _ in log.append("second") }
    #expect(census.population == 2)
    second.finishLoading()
    #expect(census.population == 1)
    first.finishLoading()
    #expect(log.all == ["second", "first"])
    #expect(census.population == 0)
  }

  @Test("that answers while it is being made is not kept at all")
  func answersAtOnce() {
    Parallel<Int>.delegate { [census] callback in
      callback(1)
      return Tracked(in: census)
    }
    .run { [log] in log.append("\($0)") }
    #expect(log.all == ["1"])
    #expect(census.population == 0)
  }

  @Test("that answers while it is being made is not kept, though it keeps its callback")
  func answersAtOnceAndKeepsItsCallback() {
    Parallel<Int>.delegate { [census] callback in
      let delegate = Forgetful(callback, in: census)
      callback(1)
      return delegate
    }
    .run { [log] in log.append("\($0)") }
    #expect(log.all == ["1"])
    #expect(census.population == 0)
  }

  @Test("that lets go of its callback without calling it is let go of, too")
  func dropsItsCallback() {
    let page = WeakReference<Forgetful>()
    Parallel<Int>.delegate { [census] callback in
      let forgetful = Forgetful(callback, in: census)
      page.object = forgetful
      return forgetful
    }
    .run { _ in }
    #expect(census.population == 1)
    page.object?.callback = nil
    #expect(census.population == 0)
  }

  @Test("answering from another thread while it is being made releases it all the same")
  func stress() async throws {
    // The last callback may still be on its way out when its value is there; it is in the group until it is gone.
    let callbacks = DispatchGroup()
    for _ in 1...500 {
      _ = try await Parallel<Int>.delegate { [census] callback in
        let delegate = Tracked(in: census)
        DispatchQueue.global().async(group: callbacks) { callback(1) }
        return delegate
      }
      .map { $0 }.value()
    }
    await withCheckedContinuation { continuation in
      callbacks.notify(queue: .global()) { continuation.resume() }
    }
    #expect(census.population == 0)
  }
}
