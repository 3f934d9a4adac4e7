// The part of WebKit's interface that the strategy for `WKWebView` uses, for compiling it where there is none. Nothing here does
// anything. See Scripts/check-apple.

public import Foundation
public import UIKit

@MainActor
open class WKNavigation: NSObject {
}

@MainActor
open class WKSnapshotConfiguration: NSObject {
}

/// Stands for the protocol of that name.
@MainActor
public protocol WKNavigationDelegate: AnyObject {
  func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!)
  func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error)
  func webView(_ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error)
  func webViewWebContentProcessDidTerminate(_ webView: WKWebView)
}

@MainActor
open class WKWebView: UIView {
  open weak var navigationDelegate: (any WKNavigationDelegate)?
  open var isLoading: Bool { false }

  open func takeSnapshot(
    with snapshotConfiguration: WKSnapshotConfiguration?,
    completionHandler: @escaping @MainActor @Sendable (UIImage?, (any Error)?) -> Void
  ) {
  }
}
