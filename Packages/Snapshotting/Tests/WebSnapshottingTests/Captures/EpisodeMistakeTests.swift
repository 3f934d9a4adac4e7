import Foundation
import ImageSnapshotting
import Parallel
import Snapshotting
import Testing
import WebSnapshotting

/// The four mistakes of the episode, each with a strategy that makes it, and the strategy that works.
@Suite("The episode's mistakes", .timeLimit(.minutes(2)))
struct EpisodeMistakeTests {
  private let page = WebPage(html: "<h1>Welcome to Point-Free!</h1>")

  @Test("1. an image before the page is loaded is blank")
  func blank() async throws {
    // A browser that has shown no other page.
    let browser = Browser()
    let naive = SimplySnapshotting<Image>.image.asyncPullback { (page: WebPage) in
      Parallel { callback in
        let webView = EpisodeView(page, in: browser)
        webView.takeSnapshot { result in
          callback(image(result))
        }
      }
    }
    let picture = try await naive.snapshot(page).value()
    #expect(
      isBlank(picture), "\(picture.pixels.count { $0 != 255 }) bytes of \(picture.pixels.count), \(picture[0, 0])")
    #expect(!isBlank(try await Snapshotting<WebPage, Image>.image.snapshot(page).value()))
    await browser.close()
  }

  @Test("2. a strategy that does not wait for the callback completes before it")
  func early() async throws {
    try await Browser.shared.start()
    let called = Signal()
    let delegate = Delegate { _ in called.raise() }
    // Held until the strategy has completed.
    let callbacks = DispatchQueue(label: "callbacks", attributes: .initiallyInactive)
    let webView = EpisodeView(page, deliveringOn: { callbacks.async(execute: $0) })
    let naive = SimplySnapshotting<Image>.image.pullback { (webView: EpisodeView) in
      webView.navigationDelegate = delegate
      webView.load()
      return image(nil)
    }
    let completed = Signal()
    naive.snapshot(webView).run { picture in
      #expect(isBlank(picture))
      completed.raise()
    }
    // It completed before `run` returned, and waited for no callback.
    #expect(completed.hasBeenRaised && !called.hasBeenRaised)
    callbacks.activate()
    await called.wait()
  }

  @Test("3. a semaphore on the queue of the callbacks deadlocks")
  func semaphore() async throws {
    try await Browser.shared.start()
    let main = DispatchQueue(label: "main")
    let isCallbackQueued = DispatchSemaphore(value: 0)
    let called = Signal()
    let webView = EpisodeView(
      page,
      deliveringOn: { work in
        main.async(execute: work)
        isCallbackQueued.signal()
      })
    let semaphore = DispatchSemaphore(value: 0)
    let delegate = Delegate { _ in
      semaphore.signal()
      called.raise()
    }
    await withCheckedContinuation { continuation in
      main.async {
        webView.navigationDelegate = delegate
        webView.load()
        isCallbackQueued.wait()
        // The page is loaded, and the callback is next on this queue. It cannot run while this function waits.
        #expect(semaphore.wait(timeout: .now()) == .timedOut)
        continuation.resume()
      }
    }
    await called.wait()
    withExtendedLifetime(delegate) {}
  }

  @Test("4. a delegate that is not retained is not called")
  func released() async throws {
    try await Browser.shared.start()
    let delivered = Signal()
    let called = Signal()
    let webView = EpisodeView(
      page,
      deliveringOn: { work in
        work()
        delivered.raise()
      })
    let naive = SimplySnapshotting<Image>.image.asyncPullback { (webView: EpisodeView) in
      Parallel { _ in
        let delegate = Delegate { _ in called.raise() }
        webView.navigationDelegate = delegate
        webView.load()
      }
    }
    naive.snapshot(webView).run { _ in Issue.record("It has called back.") }
    await delivered.wait()
    #expect(webView.navigationDelegate == nil && !called.hasBeenRaised)
  }

  @Test("a delegate that the parallel retains takes the image, without a deadlock")
  func retained() async throws {
    let strategy = SimplySnapshotting<Image>.image.asyncPullback { (webView: EpisodeView) in
      Parallel.delegate { callback in
        let delegate = Delegate { webView in webView.takeSnapshot { result in callback(image(result)) } }
        webView.navigationDelegate = delegate
        webView.load()
        return delegate
      }
    }
    let picture = try await strategy.snapshot(EpisodeView(page)).value()
    #expect(!isBlank(picture))
    #expect(try await Snapshotting<WebPage, Image>.image.snapshot(page).value() == picture)
  }
}

private func image(_ result: Result<Data, WebError>?) -> Image {
  let white = Image(width: 640, height: 480, filledWith: Image.Pixel(red: 255, green: 255, blue: 255, alpha: 255))
  let picture = (try? result?.get()).flatMap { try? Image(png: $0) }
  guard let picture = picture ?? white else { fatalError("640×480 is a size") }
  return picture
}

private func isBlank(_ image: Image) -> Bool {
  image.pixels.allSatisfy { $0 == 255 }
}

private final class Delegate: EpisodeDelegate {
  private let finished: @Sendable (EpisodeView) -> Void

  init(_ finished: @escaping @Sendable (EpisodeView) -> Void) {
    self.finished = finished
  }

  func webViewDidFinish(_ webView: EpisodeView) { finished(webView) }
}
