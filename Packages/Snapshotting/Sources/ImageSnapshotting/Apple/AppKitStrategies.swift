#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit
  internal import Parallel
  public import Snapshotting

  extension Snapshotting where Value: NSView, Format == Image {
    /// Captures a view as an image, and compares exactly; see the function with the same name.
    ///
    /// ```swift
    /// assertSnapshot(of: view, as: .image)
    /// ```
    @MainActor public static var image: Snapshotting { .image() }

    /// Captures a view as an image, after its layout.
    ///
    /// The scale is that of the view's window, or of the main screen. `size` is in points, and `nil` keeps the size of
    /// the view; `masks` are in pixels.
    ///
    /// The strategy is compiled against stubs of AppKit's interface, and has not been run.
    @MainActor public static func image(
      precision: Float = 1, perceptualPrecision: Float = 1, ignoringAntialiasing: Bool = false,
      colorDistance: ImageComparison.ColorDistance = .deltaE, masks: [Image.Rect] = [], size: CGSize? = nil
    ) -> Snapshotting {
      let diffing = Diffing<Image>.image(
        precision: precision, perceptualPrecision: perceptualPrecision, ignoringAntialiasing: ignoringAntialiasing,
        colorDistance: colorDistance, masks: masks)
      return Snapshotting(pathExtension: "png", diffing: diffing) {
        @MainActor (view: Value, context: SnapshotContext<Image>) in
        if let size { view.frame.size = size }
        return Parallel(value: picture(of: view, context))
      }
    }
  }

  extension Snapshotting where Value: NSViewController, Format == Image {
    /// Captures the view of a controller as an image, and compares exactly; see the function with the same name.
    @MainActor public static var image: Snapshotting { .image() }

    /// Captures the view of a controller as an image; see the strategy for views.
    @MainActor public static func image(
      precision: Float = 1, perceptualPrecision: Float = 1, ignoringAntialiasing: Bool = false,
      colorDistance: ImageComparison.ColorDistance = .deltaE, masks: [Image.Rect] = [], size: CGSize? = nil
    ) -> Snapshotting {
      Snapshotting<NSView, Image>.image(
        precision: precision, perceptualPrecision: perceptualPrecision, ignoringAntialiasing: ignoringAntialiasing,
        colorDistance: colorDistance, masks: masks, size: size
      )
      .pullback { @MainActor (controller: Value) in controller.view }
    }
  }

  @MainActor
  private func picture(of view: NSView, _ context: SnapshotContext<Image>) -> Image {
    view.layoutSubtreeIfNeeded()
    let bitmap = view.bitmapImageRepForCachingDisplay(in: view.bounds)
    if let bitmap { view.cacheDisplay(in: view.bounds, to: bitmap) }
    return viewImage(bitmap?.representation(using: .png, properties: [:]) ?? Data(), scale: nil, context)
  }
#endif
