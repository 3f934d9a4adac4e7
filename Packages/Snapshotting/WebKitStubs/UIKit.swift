// The part of UIKit's interface that the strategies for views use, for compiling it where there is none. Nothing here does
// anything. See Scripts/check apple.

// As Apple's does.
@_exported public import Foundation

open class UIImage: NSObject, @unchecked Sendable {
  // Unchecked, as Apple's is: it does not change.

  /// Stands for the method of that name.
  public func pngData() -> Data? { nil }
}

/// Stands for the class of that name.
public final class CGContext {}

@MainActor
open class CALayer: NSObject {
  open func render(in context: CGContext) {}
}

@MainActor
open class UIView: NSObject {
  open var bounds = CGRect.zero
  open var layer: CALayer { CALayer() }
  open func layoutIfNeeded() {}
}

@MainActor
open class UIViewController: NSObject {
  // As Apple declares it.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var view: UIView! { nil }
  open func loadViewIfNeeded() {}
}

open class UIGraphicsImageRendererFormat: NSObject {
  /// Stands for the enumeration of that name.
  public enum Range { case standard }

  open var scale: CGFloat = 1
  open var preferredRange = Range.standard
}

open class UIGraphicsImageRendererContext: NSObject {
  open var cgContext: CGContext { CGContext() }
}

open class UIGraphicsImageRenderer: NSObject {
  /// Stands for the initialiser of that form.
  public init(bounds: CGRect, format: UIGraphicsImageRendererFormat) {}
  open func pngData(actions: (UIGraphicsImageRendererContext) -> Void) -> Data { Data() }
}
