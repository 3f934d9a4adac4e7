// The part of UIKit's interface that the strategy for `WKWebView` uses, for compiling it where there is none. Nothing here does
// anything. See Scripts/check-apple-strategies.

public import Foundation

open class UIImage: NSObject, @unchecked Sendable {
  // Unchecked, as Apple's is: it does not change.

  /// Stands for the method of that name.
  public func pngData() -> Data? { nil }
}

@MainActor
open class UIView: NSObject {
}
