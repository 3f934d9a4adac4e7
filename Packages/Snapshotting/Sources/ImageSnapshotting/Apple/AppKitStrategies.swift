#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit
  internal import Foundation
  internal import Parallel
  public import Snapshotting

  extension Snapshotting where Value: NSView, Format == Image {
    /// Shows a view as a picture, after its layout.
    ///
    /// It has as many pixels for each point as the view's window says, or the main screen.
    ///
    /// It is compiled against stubs of AppKit's interface, and has not been run.
    ///
    /// - Parameter diffing: How pictures are compared.
    @MainActor public static func image(diffing: Diffing<Image> = .image) -> Snapshotting {
      Snapshotting(pathExtension: "png", diffing: diffing) {
        @MainActor (view: Value, context: SnapshotContext<Image>) in
        Parallel(value: picture(of: view, context))
      }
    }
  }

  @MainActor
  private func picture(of view: NSView, _ context: SnapshotContext<Image>) -> Image {
    view.layoutSubtreeIfNeeded()
    let bitmap = view.bitmapImageRepForCachingDisplay(in: view.bounds)
    if let bitmap { view.cacheDisplay(in: view.bounds, to: bitmap) }
    return read(bitmap?.representation(using: .png, properties: [:]) ?? Data(), scale: nil, context)
  }
#endif
