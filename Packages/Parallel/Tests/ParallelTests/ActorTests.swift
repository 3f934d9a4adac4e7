import Dispatch
import Isolation
import Parallel
import TestSupport
import Testing

/// A class like `WKWebView`: on the main actor, with a weak delegate, and with a callback for snapshots.
@MainActor private final class WebView {
  weak var navigationDelegate: NavigationDelegate? {
    didSet { if navigationDelegate != nil { gotDelegate.finish() } }
  }
  /// Ends when the delegate is set.
  let delegation: AsyncStream<Never>
  private let gotDelegate: AsyncStream<Never>.Continuation
  var title = "untitled"

  init() { (delegation, gotDelegate) = AsyncStream.makeStream(of: Never.self) }

  func load(_ title: String) {
    Task {
      self.title = title
      navigationDelegate?.webViewDidFinish(self)
    }
  }

  func takeSnapshot(_ completion: @escaping @MainActor (Snapshot) -> Void) {
    let snapshot = Snapshot(title)
    Task { completion(snapshot) }
  }
}

/// A snapshot that is not `Sendable`, like the images of several platforms.
private final class Snapshot {
  var text: String
  init(_ text: String) { self.text = text }
}

@MainActor private final class NavigationDelegate {
  private let callback: () -> Void
  init(_ callback: @escaping () -> Void) { self.callback = callback }
  func webViewDidFinish(_ webView: WebView) { callback() }
}

@Suite("Closures created on an actor")
struct ActorTests {
  @MainActor private func title(of webView: WebView) -> Parallel<String> {
    .delegate { callback in
      MainActor.assertIsolated()
      let delegate = NavigationDelegate {
        webView.takeSnapshot { callback($0.text) }
      }
      webView.navigationDelegate = delegate
      return delegate
    }
  }

  @Test("closures of delegate and map can use a main-actor class when the run starts on another thread")
  @MainActor func webView() async throws {
    let webView = WebView()
    let parallel = title(of: webView).map { text in
      webView.title += "!"
      return "\(text), then \(webView.title)"
    }
    async let answer = parallel.value()
    // The run started outside the main actor. Wait until it has set the delegate there.
    for await _ in webView.delegation {}
    webView.load("Point-Free")
    #expect(try await answer == "Point-Free, then Point-Free!")
    #expect(webView.navigationDelegate == nil)
  }

  @Test("a run on the main actor of main-actor closures calls back before run returns")
  @MainActor func fastPath() {
    var log: [String] = []
    let parallel = Parallel<Int> { callback in
      log.append("work")
      callback(20)
    }
    .map { value in
      log.append("map")
      return value + 1
    }
    .flatMap { value in
      log.append("flatMap")
      return Parallel(value: value * 2)
    }
    parallel.run { value in
      log.append("run \(value)")
    }
    #expect(log == ["work", "map", "flatMap", "run 42"])
  }

  @Test("closures of the main actor run there although the run starts and calls back on other threads")
  func mainActor() async {
    let log = Log<Bool>()
    let parallel = await Self.loggedOnMain(log)
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        log.append(isMainThread())
        parallel.run { _ in
          log.append(isMainThread())
          continuation.resume()
        }
      }
    }
    #expect(log.all == [false, true, true, true, true])
  }

  @MainActor private static func loggedOnMain(_ log: Log<Bool>) -> Parallel<Int> {
    Parallel<Int> { callback in
      MainActor.assertIsolated()
      log.append(isMainThread())
      DispatchQueue.global().async { callback(1) }
    }
    .map { value in
      MainActor.assertIsolated()
      log.append(isMainThread())
      return value
    }
    .receive(on: .global())
    .flatMap { value in
      MainActor.assertIsolated()
      log.append(isMainThread())
      return Parallel(value: value)
    }
  }

  @Test("a callback created on the main actor is called there for every kind of arrival")
  @MainActor func callbackOnMain() async {
    for arrival in Sample.Arrival.allCases {
      var received: [Int] = []
      let done = AsyncStream<Void>.makeStream()
      Sample(value: 3, arrival: arrival).parallel.run { value in
        MainActor.assertIsolated()
        received.append(value)
        done.continuation.yield()
      }
      for await _ in done.stream { break }
      #expect(received == [3])
    }
  }

  private actor Counter {
    private(set) var count = 0

    func counting() -> Parallel<Int> {
      Parallel<Int> { callback in
        self.assertIsolated()
        self.count += 1
        callback(self.count)
      }
      .map { value in
        self.assertIsolated()
        self.count += 10
        return value + self.count
      }
      .receive(on: .global())
      .flatMap { value in
        self.assertIsolated()
        self.count += 100
        return Parallel(value: value)
      }
    }

    func run(_ parallel: Parallel<Int>, _ done: @escaping @Sendable () -> Void) {
      parallel.run { value in
        self.assertIsolated()
        self.count = value
        done()
      }
    }

    func asynchronously() -> Parallel<Int> {
      Parallel<Int> {
        self.assertIsolated()
        self.count += 1
        await Task.yield()
        return self.count
      }
    }
  }

  @Test("closures created on an actor run on that actor and can use its members")
  func customActor() async throws {
    let counter = Counter()
    let parallel = await counter.counting()
    #expect(try await parallel.value() == 12)
    #expect(await counter.count == 111)
    #expect(try await parallel.value() == 234)
  }

  @Test("a callback and asynchronous work created on an actor run on that actor")
  func customActorCallback() async throws {
    let counter = Counter()
    await withCheckedContinuation { continuation in
      Task { await counter.run(.later(5)) { continuation.resume() } }
    }
    #expect(await counter.count == 5)
    #expect(try await counter.asynchronously().value() == 6)
  }

  @Test("a value that is not Sendable can be transferred between actors")
  @MainActor func notSendable() async throws {
    let snapshot = Parallel<Snapshot> { $0(Snapshot("fresh")) }.start(on: DispatchQueue(label: "elsewhere"))
    let done = AsyncStream<String>.makeStream()
    snapshot.run { snapshot in
      snapshot.text += " and changed"
      done.continuation.yield(snapshot.text)
    }
    for await text in done.stream {
      #expect(text == "fresh and changed")
      break
    }
  }

  @Test("hundreds of concurrent runs on one actor all complete")
  func stress() async throws {
    let counter = Counter()
    let parallel = await counter.asynchronously()
    let values = try await (0..<300).traverse(maxConcurrent: 50) { _ in parallel }.value()
    #expect(await counter.count == 300)
    #expect(values.count == 300)
  }
}
