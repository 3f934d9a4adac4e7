// The part of AppKit's interface that the strategy for views uses, for compiling it where there is none. Nothing here does
// anything. See Scripts/check apple.

// As Apple's does.
@_exported public import Foundation

@MainActor
open class NSView: NSObject {
  open var frame = CGRect.zero
  open var bounds = CGRect.zero
  open func layoutSubtreeIfNeeded() {}
  open func bitmapImageRepForCachingDisplay(in rect: CGRect) -> NSBitmapImageRep? { nil }
  open func cacheDisplay(in rect: CGRect, to bitmapImageRep: NSBitmapImageRep) {}
}

@MainActor
open class NSViewController: NSObject {
  open var view = NSView()
}

open class NSBitmapImageRep: NSObject {
  /// Stands for the enumeration of that name.
  public enum FileType { case png }
  /// Stands for the type of that name.
  public struct PropertyKey: Hashable {}

  open func converting(to targetSpace: NSColorSpace, renderingIntent: NSColorRenderingIntent) -> NSBitmapImageRep? {
    nil
  }
  open func representation(using storageType: FileType, properties: [PropertyKey: Any]) -> Data? { nil }
}

/// Stands for the class of that name.
public final class NSColorSpace: Sendable {
  public static let sRGB = NSColorSpace()
}

/// Stands for the enumeration of that name.
public enum NSColorRenderingIntent { case `default` }
