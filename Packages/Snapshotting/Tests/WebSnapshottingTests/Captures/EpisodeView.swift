import Foundation
import WebSnapshotting

/// The delegate of a web view, as in the episode.
protocol EpisodeDelegate: AnyObject, Sendable {
  func webViewDidFinish(_ webView: EpisodeView)
}

/// A small web view as in the episode: it loads, notifies a weakly held delegate, and takes snapshots.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class EpisodeView: @unchecked Sendable {
  private let page: WebPage
  private let browser: Browser
  private let deliver: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let lock = NSLock()
  private weak var delegate: (any EpisodeDelegate)?
  private var isLoaded = false

  init(
    _ page: WebPage, in browser: Browser = .shared,
    deliveringOn deliver: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
  ) {
    (self.page, self.browser, self.deliver) = (page, browser, deliver)
  }

  var navigationDelegate: (any EpisodeDelegate)? {
    get { lock.withLock { delegate } }
    set { lock.withLock { delegate = newValue } }
  }

  func load() {
    Task {
      _ = try await browser.text(of: page)
      lock.withLock { isLoaded = true }
      deliver { self.navigationDelegate?.webViewDidFinish(self) }
    }
  }

  /// Takes an image; of an empty page before the page is loaded.
  func takeSnapshot(_ completion: @escaping @Sendable (Result<Data, WebError>) -> Void) {
    let shown = lock.withLock { isLoaded } ? page : WebPage(html: "", viewport: page.viewport)
    Task {
      let result: Result<Data, WebError>
      do throws(WebError) { result = .success(try await browser.png(of: shown)) } catch { result = .failure(error) }
      deliver { completion(result) }
    }
  }
}
