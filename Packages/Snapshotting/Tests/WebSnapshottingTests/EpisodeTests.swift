import Foundation
import ImageSnapshotting
import Parallel
import SnapshotAssertions
import Testing
import WebSnapshotting

@Suite("The episode's web view", .timeLimit(.minutes(2)))
struct EpisodeTests {
  private let page = WebPage(
    html: """
      <h1>Welcome to Point-Free!</h1>
      <p>
        A Swift video series exploring functional programming and more.
      </p>
      """)

  /// Another browser version must not fail the test.
  private let strategy = Snapshotting<WebPage, Image>.image(
    precision: 0.9995, perceptualPrecision: 0.98, ignoringAntialiasing: true)

  @Test("the episode's page matches its reference")
  func webView() async {
    await expectSnapshot(of: page, as: strategy)
  }

  @Test("a delegate that the parallel retains takes the image, and one that is not retained is not called")
  func delegate() async throws {
    let page = page
    let retaining = SimplySnapshotting<Image>.image.asyncPullback { (webView: WebView) in
      Parallel.delegate { callback in
        let delegate = Delegate { callback($0) }
        webView.delegate = delegate
        webView.load(page)
        return delegate
      }
    }
    let picture = try await retaining.snapshot(WebView()).value()
    #expect(try await Snapshotting<WebPage, Image>.image.snapshot(page).value() == picture)
    let webView = WebView()
    webView.delegate = Delegate { _ in Issue.record("The delegate was called.") }
    await webView.load(page).value
    #expect(webView.delegate == nil)
  }
}

/// A web view as in the episode: it loads a page, and notifies a weakly held delegate.
///
/// `@unchecked Sendable`: `lock` guards the delegate.
private final class WebView: @unchecked Sendable {
  private let lock = NSLock()
  private weak var current: Delegate?

  var delegate: Delegate? {
    get { lock.withLock { current } }
    set { lock.withLock { current = newValue } }
  }

  @discardableResult
  func load(_ page: WebPage) -> Task<Void, Never> {
    Task {
      guard let file = try? await Browser.shared.png(of: page), let image = try? Image(png: file) else { return }
      delegate?.finished(image)
    }
  }
}

private final class Delegate: Sendable {
  let finished: @Sendable (Image) -> Void

  init(_ finished: @escaping @Sendable (Image) -> Void) {
    self.finished = finished
  }
}
