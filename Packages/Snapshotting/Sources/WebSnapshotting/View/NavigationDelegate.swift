/// What is told how the loading of a ``WebView`` goes.
///
/// The counterpart of WebKit's protocol of that name, with the two messages that a snapshot needs.
public protocol NavigationDelegate: AnyObject, Sendable {
  /// The page has been loaded to its load event.
  ///
  /// - Parameter webView: The view that shows it.
  func webViewDidFinish(_ webView: WebView)

  /// The page could not be loaded.
  ///
  /// - Parameters:
  ///   - webView: The view that was to show it.
  ///   - error: Why it does not.
  func webView(_ webView: WebView, didFail error: WebError)
}
