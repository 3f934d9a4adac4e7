internal import Foundation
public import ImageSnapshotting
internal import Parallel
public import Snapshotting

extension Snapshotting where Value == WebPage, Format == Image {
  /// Shows a page as a picture, and compares to the bit.
  ///
  /// ```swift
  /// await expectSnapshot(of: WebPage(html: "<h1>Puffins</h1>"), as: .image)
  /// ```
  ///
  /// A page that cannot be captured fails the assertion with a ``WebError``. References are the same on any Linux system with the
  /// same version of the browser; the pictures of another version may differ in a few pixels, for which
  /// ``image(precision:perceptualPrecision:ignoringAntialiasing:in:)`` has bounds.
  public static var image: Snapshotting { .image() }

  /// Shows a page as a picture.
  ///
  /// - Parameters:
  ///   - precision: The least share of pixels that have to match, from 0 to 1.
  ///   - perceptualPrecision: How near a colour has to be to match, from 0 to 1; 0.98 is as exact as the eye.
  ///   - ignoringAntialiasing: Whether pixels match that differ only because an edge is smoothed differently.
  ///   - browser: What shows the page.
  ///
  /// Source: the strategy of *Async Functional Refactoring*, word for word, but for the delegate, which is kept alive by what was
  /// made for that.
  public static func image(
    precision: Float = 1, perceptualPrecision: Float = 1, ignoringAntialiasing: Bool = false,
    in browser: Browser = .shared
  ) -> Snapshotting {
    var pictures = SimplySnapshotting<Image>.image(
      precision: precision, perceptualPrecision: perceptualPrecision, ignoringAntialiasing: ignoringAntialiasing)
    pictures.diffing.fromData = { try Image(png: $0, limits: .page) }
    return pictures.orFailure { Image(width: 1, height: 1, pixels: [0, 0, 0, 0]) }
      .asyncPullback { (page: WebPage) in
        Parallel<Result<Image, WebError>>.delegate { callback in
          let delegate = SnapshotDelegate()
          delegate.callback = { webView in
            webView.takeSnapshot { result in
              callback(result.flatMap { png in readPicture(png, of: page) })
              webView.close()
            }
          }
          delegate.failure = { error in callback(.failure(error)) }
          let webView = WebView(page, in: browser)
          webView.navigationDelegate = delegate
          webView.load()
          return delegate
        }
      }
      .givingTime(browser)
  }
}

extension PNGLimits {
  /// What the largest picture of a page takes.
  static let page = PNGLimits(bytes: 4 * WebPage.Viewport.longestSide * WebPage.Viewport.longestSide)
}

/// Reads a picture that the browser took.
func readPicture(_ png: Data, of page: WebPage) -> Result<Image, WebError> {
  do throws(PNGError) {
    return .success(try Image(png: png, scale: page.viewport.scale, limits: .page))
  } catch {
    return .failure(WebError(kind: .refused, description: "Cannot read the picture of the page. \(error)"))
  }
}

/// Passes the messages to a delegate on to closures.
///
/// `@unchecked Sendable`: the closures are set before the view that calls them gets hold of the delegate.
private final class SnapshotDelegate: NavigationDelegate, @unchecked Sendable {
  var callback: (@Sendable (WebView) -> Void)?
  var failure: (@Sendable (WebError) -> Void)?

  func webViewDidFinish(_ webView: WebView) {
    callback?(webView)
  }

  func webView(_ webView: WebView, didFail error: WebError) {
    failure?(error)
  }
}
