#if canImport(UIKit) && !os(watchOS)
  internal import Parallel
  public import Snapshotting
  public import UIKit

  extension Snapshotting where Value: UIView, Format == Image {
    /// Captures a view as an image, and compares exactly; see the function with the same name.
    ///
    /// ```swift
    /// assertSnapshot(of: view, as: .image)
    /// ```
    @MainActor public static var image: Snapshotting { .image() }

    /// Captures a view as an image of its layer, after its layout, in sRGB.
    ///
    /// Web views and blurs, which the system draws, are missing. The view needs a size and no window. `size` is in
    /// points, and `nil` keeps the size of the view; `masks` are in pixels. The scale is fixed, so that references do
    /// not depend on the device.
    ///
    /// The strategy is compiled against stubs of UIKit's interface, and has not been run.
    @MainActor public static func image(
      precision: Float = 1, perceptualPrecision: Float = 1, ignoringAntialiasing: Bool = false,
      colorDistance: ImageComparison.ColorDistance = .deltaE, masks: [Image.Rect] = [], size: CGSize? = nil,
      scale: Double = 2
    ) -> Snapshotting {
      let diffing = Diffing<Image>.image(
        precision: precision, perceptualPrecision: perceptualPrecision, ignoringAntialiasing: ignoringAntialiasing,
        colorDistance: colorDistance, masks: masks)
      return Snapshotting(pathExtension: "png", diffing: diffing) {
        @MainActor (view: Value, context: SnapshotContext<Image>) in
        if let size { view.bounds.size = size }
        return Parallel(value: picture(of: view, scale: scale, context))
      }
    }
  }

  extension Snapshotting where Value: UIViewController, Format == Image {
    /// Captures the view of a controller as an image, and compares exactly; see the function with the same name.
    @MainActor public static var image: Snapshotting { .image() }

    /// Captures the view of a controller as an image; see the strategy for views.
    @MainActor public static func image(
      precision: Float = 1, perceptualPrecision: Float = 1, ignoringAntialiasing: Bool = false,
      colorDistance: ImageComparison.ColorDistance = .deltaE, masks: [Image.Rect] = [], size: CGSize? = nil,
      scale: Double = 2
    ) -> Snapshotting {
      Snapshotting<UIView, Image>.image(
        precision: precision, perceptualPrecision: perceptualPrecision, ignoringAntialiasing: ignoringAntialiasing,
        colorDistance: colorDistance, masks: masks, size: size, scale: scale
      )
      .pullback { @MainActor (controller: Value) in
        controller.loadViewIfNeeded()
        return controller.view
      }
    }
  }

  @MainActor
  private func picture(of view: UIView, scale: Double, _ context: SnapshotContext<Image>) -> Image {
    view.layoutIfNeeded()
    let format = UIGraphicsImageRendererFormat()
    format.scale = CGFloat(scale)
    format.preferredRange = .standard
    let png = UIGraphicsImageRenderer(bounds: view.bounds, format: format).pngData { canvas in
      view.layer.render(in: canvas.cgContext)
    }
    return viewImage(png, scale: scale, context)
  }
#endif
