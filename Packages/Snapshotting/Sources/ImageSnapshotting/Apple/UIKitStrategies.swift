#if canImport(UIKit) && !os(watchOS)
  internal import Parallel
  public import Snapshotting
  public import UIKit

  extension Snapshotting where Value: UIView, Format == Image {
    /// Shows a view as a picture, and compares to the bit; see the function of that name.
    ///
    /// ```swift
    /// assertSnapshot(of: view, as: .image)
    /// ```
    @MainActor public static var image: Snapshotting { .image() }

    /// Shows a view as a picture of its layer, after its layout, in sRGB.
    ///
    /// What only the system can draw (a web view, a blur) is missing in it. The view needs a size and no window.
    ///
    /// It is compiled against stubs of UIKit's interface, and has not been run.
    ///
    /// - Parameters:
    ///   - precision: The least share of pixels that have to match, from 0 to 1.
    ///   - perceptualPrecision: How near a colour has to be to match, from 0 to 1; 0.98 is as exact as the eye.
    ///   - ignoringAntialiasing: Whether pixels match that differ only because an edge is smoothed differently.
    ///   - masks: What is not compared, in pixels.
    ///   - size: The size that the view is given first, in points; the one that it has if `nil`.
    ///   - scale: Pixels for each point; fixed, so that references do not depend on the device.
    @MainActor public static func image(
      precision: Float = 1, perceptualPrecision: Float = 1, ignoringAntialiasing: Bool = false,
      masks: [Image.Rect] = [], size: CGSize? = nil, scale: Double = 2
    ) -> Snapshotting {
      let diffing = Diffing<Image>.image(
        precision: precision, perceptualPrecision: perceptualPrecision, ignoringAntialiasing: ignoringAntialiasing,
        masks: masks)
      return Snapshotting(pathExtension: "png", diffing: diffing) {
        @MainActor (view: Value, context: SnapshotContext<Image>) in
        if let size { view.bounds.size = size }
        return Parallel(value: picture(of: view, scale: scale, context))
      }
    }
  }

  extension Snapshotting where Value: UIViewController, Format == Image {
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
    ///   - scale: Pixels for each point; fixed, so that references do not depend on the device.
    @MainActor public static func image(
      precision: Float = 1, perceptualPrecision: Float = 1, ignoringAntialiasing: Bool = false,
      masks: [Image.Rect] = [], size: CGSize? = nil, scale: Double = 2
    ) -> Snapshotting {
      Snapshotting<UIView, Image>.image(
        precision: precision, perceptualPrecision: perceptualPrecision, ignoringAntialiasing: ignoringAntialiasing,
        masks: masks, size: size, scale: scale
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
    return read(png, scale: scale, context)
  }
#endif
