#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit
  internal import Parallel
  public import Snapshotting

  extension Snapshotting where Value: NSView, Format == Image {
    /// Shows a view as a picture, and compares to the bit; see the function of that name.
    ///
    /// ```swift
    /// assertSnapshot(of: view, as: .image)
    /// ```
    @MainActor public static var image: Snapshotting { .image() }

    /// Shows a view as a picture, after its layout.
    ///
    /// It has as many pixels for each point as the view's window says, or the main screen.
    ///
    /// It is compiled against stubs of AppKit's interface, and has not been run.
    ///
    /// - Parameters:
    ///   - precision: The least share of pixels that have to match, from 0 to 1.
    ///   - perceptualPrecision: How near a colour has to be to match, from 0 to 1; 0.98 is as exact as the eye.
    ///   - ignoringAntialiasing: Whether pixels match that differ only because an edge is smoothed differently.
    ///   - masks: What is not compared, in pixels.
    ///   - size: The size that the view is given first, in points; the one that it has if `nil`.
    @MainActor public static func image(
      precision: Float = 1, perceptualPrecision: Float = 1, ignoringAntialiasing: Bool = false,
      masks: [Image.Rect] = [], size: CGSize? = nil
    ) -> Snapshotting {
      let diffing = Diffing<Image>.image(
        precision: precision, perceptualPrecision: perceptualPrecision, ignoringAntialiasing: ignoringAntialiasing,
        masks: masks)
      return Snapshotting(pathExtension: "png", diffing: diffing) {
        @MainActor (view: Value, context: SnapshotContext<Image>) in
        if let size { view.frame.size = size }
        return Parallel(value: picture(of: view, context))
      }
    }
  }

  extension Snapshotting where Value: NSViewController, Format == Image {
    /// Shows a controller's view as a picture, and compares to the bit; see the function of that name.
    @MainActor public static var image: Snapshotting { .image() }

    /// Shows a controller's view as a picture; see the strategy for views.
    ///
    /// - Parameters:
    ///   - precision: The least share of pixels that have to match, from 0 to 1.
    ///   - perceptualPrecision: How near a colour has to be to match, from 0 to 1; 0.98 is as exact as the eye.
    ///   - ignoringAntialiasing: Whether pixels match that differ only because an edge is smoothed differently.
    ///   - masks: What is not compared, in pixels.
    ///   - size: The size that the view is given first, in points; the one that it has if `nil`.
    @MainActor public static func image(
      precision: Float = 1, perceptualPrecision: Float = 1, ignoringAntialiasing: Bool = false,
      masks: [Image.Rect] = [], size: CGSize? = nil
    ) -> Snapshotting {
      Snapshotting<NSView, Image>.image(
        precision: precision, perceptualPrecision: perceptualPrecision, ignoringAntialiasing: ignoringAntialiasing,
        masks: masks, size: size
      )
      .pullback { @MainActor (controller: Value) in controller.view }
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
