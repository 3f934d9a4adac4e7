#if canImport(UIKit) && !os(watchOS)
  internal import Foundation
  internal import Parallel
  public import Snapshotting
  public import UIKit

  extension Snapshotting where Value: UIView, Format == Image {
    /// Shows a view as a picture of its layer, after its layout, in sRGB.
    ///
    /// What only the system can draw (a web view, a blur) is missing in it. The view needs a size and no window.
    ///
    /// It is compiled against stubs of UIKit's interface, and has not been run.
    ///
    /// - Parameters:
    ///   - scale: Pixels for each point; fixed, so that references do not depend on the device.
    ///   - diffing: How pictures are compared.
    @MainActor public static func image(scale: Double = 2, diffing: Diffing<Image> = .image) -> Snapshotting {
      Snapshotting(pathExtension: "png", diffing: diffing) {
        @MainActor (view: Value, context: SnapshotContext<Image>) in
        Parallel(value: picture(of: view, scale: scale, context))
      }
    }
  }

  extension Snapshotting where Value: UIViewController, Format == Image {
    /// Shows a controller's view as a picture; see the strategy for views.
    ///
    /// - Parameters:
    ///   - scale: Pixels for each point; fixed, so that references do not depend on the device.
    ///   - diffing: How pictures are compared.
    @MainActor public static func image(scale: Double = 2, diffing: Diffing<Image> = .image) -> Snapshotting {
      Snapshotting<UIView, Image>.image(scale: scale, diffing: diffing).pullback { @MainActor (controller: Value) in
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
