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
    /// Web views and blurs, which the system draws, are missing. The view needs a size and no window.
    ///
    /// The strategy is compiled against stubs of UIKit's interface, and has not been run.
    ///
    /// - Parameters:
    ///   - precision: The minimum share of pixels that match, from 0 to 1.
    ///   - perceptualPrecision: The required similarity of colours, from 0 to 1; 0.98 accepts invisible differences only.
    ///   - ignoringAntialiasing: Whether to ignore differences in antialiased pixels.
    ///   - colorDistance: The measure of the difference between colours.
    ///   - masks: The rectangles that are not compared, in pixels.
    ///   - size: The size of the view in points; `nil` to keep its size.
    ///   - scale: The number of pixels in a point. It is fixed, so that references do not depend on the device.
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
    ///
    /// - Parameters:
    ///   - precision: The minimum share of pixels that match, from 0 to 1.
    ///   - perceptualPrecision: The required similarity of colours, from 0 to 1; 0.98 accepts invisible differences only.
    ///   - ignoringAntialiasing: Whether to ignore differences in antialiased pixels.
    ///   - colorDistance: The measure of the difference between colours.
    ///   - masks: The rectangles that are not compared, in pixels.
    ///   - size: The size of the view in points; `nil` to keep its size.
    ///   - scale: The number of pixels in a point. It is fixed, so that references do not depend on the device.
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
