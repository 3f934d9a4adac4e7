#if canImport(WebKit)
  internal import Foundation
  public import ImageSnapshotting
  internal import Parallel
  public import Snapshotting
  public import WebKit

  #if canImport(UIKit)
    internal import UIKit
  #elseif canImport(AppKit)
    internal import AppKit
  #endif

  extension Snapshotting where Value == WKWebView, Format == Image {
    /// Shows a web view as a picture, as soon as it has finished loading, and compares to the bit; see the function of that name.
    ///
    /// ```swift
    /// webView.loadHTMLString("<h1>Welcome to Point-Free!</h1>", baseURL: nil)
    /// await expectSnapshot(of: webView, as: .image)
    /// ```
    @MainActor public static var image: Snapshotting { .image() }

    /// Shows a web view as a picture, as soon as it has finished loading.
    ///
    /// A view that loads is waited for with a delegate of its own; the one that it had is put back afterwards. The view has to have
    /// begun to load: one that does not load is taken as it is.
    ///
    /// It is compiled against stubs of WebKit's interface, and has not been run.
    ///
    /// - Parameters:
    ///   - precision: The least share of pixels that have to match, from 0 to 1.
    ///   - perceptualPrecision: How near a colour has to be to match, from 0 to 1; 0.98 is as exact as the eye.
    ///   - ignoringAntialiasing: Whether pixels match that differ only because an edge is smoothed differently.
    ///
    /// Source: *Async Functional Refactoring*.
    @MainActor public static func image(
      precision: Float = 1, perceptualPrecision: Float = 1, ignoringAntialiasing: Bool = false
    ) -> Snapshotting {
      SimplySnapshotting<Image>.image(
        precision: precision, perceptualPrecision: perceptualPrecision, ignoringAntialiasing: ignoringAntialiasing
      )
      .orFailure { Image(width: 1, height: 1, pixels: [0, 0, 0, 0]) }
      .asyncPullback { @MainActor (webView: WKWebView) in
        Parallel<Result<Image, WebError>>.delegate { @MainActor callback in
          let delegate = WKSnapshotDelegate()
          let before = webView.navigationDelegate
          delegate.callback = { failure in
            webView.navigationDelegate = before
            if let failure { return callback(.failure(failure)) }
            webView.takeSnapshot(with: nil) { picture, error in
              callback(read(picture?.png, error))
            }
          }
          webView.navigationDelegate = delegate
          if !webView.isLoading { delegate.finish(nil) }
          return delegate
        }
      }
    }
  }

  /// The episode's delegate: passes the first message on to a closure.
  @MainActor
  private final class WKSnapshotDelegate: NSObject, WKNavigationDelegate {
    var callback: ((WebError?) -> Void)?

    func finish(_ failure: WebError?) {
      let callback = callback
      self.callback = nil
      callback?(failure)
    }

    func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) {
      finish(nil)
    }

    func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error) {
      finish(
        WebError(kind: .cannotLoad, description: "Cannot load the page in the web view: \(error.localizedDescription)"))
    }

    func webView(
      _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error
    ) {
      finish(
        WebError(kind: .cannotLoad, description: "Cannot load the page in the web view: \(error.localizedDescription)"))
    }

    func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
      finish(.pageCrashed)
    }
  }

  private func read(_ png: Data?, _ error: (any Error)?) -> Result<Image, WebError> {
    guard let png else {
      let reason = error.map(\.localizedDescription) ?? "WebKit reported no reason"
      return .failure(WebError(kind: .refused, description: "Cannot capture the web view: \(reason)"))
    }
    do throws(PNGError) {
      return .success(try Image(png: png))
    } catch {
      return .failure(WebError(kind: .refused, description: "Cannot read the picture of the web view. \(error)"))
    }
  }

  #if canImport(UIKit)
    extension UIImage {
      fileprivate var png: Data? { pngData() }
    }
  #elseif canImport(AppKit)
    extension NSImage {
      fileprivate var png: Data? {
        tiffRepresentation.flatMap { NSBitmapImageRep(data: $0) }?.representation(using: .png, properties: [:])
      }
    }
  #endif
#endif
