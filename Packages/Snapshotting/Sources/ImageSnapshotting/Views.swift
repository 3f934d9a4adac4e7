#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  internal import Foundation
  internal import Parallel
  public import Snapshotting
#endif

#if canImport(UIKit) && !os(watchOS)
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
    /// Web views and blurs, which the system draws, are missing. The view needs a size and no window. `size` is in points, and `nil`
    /// keeps that of the view; `masks` are in pixels.
    ///
    /// The strategy is compiled against stubs of UIKit's interface, and has not been run.
    @MainActor public static func image(
      precision: Float? = nil, perceptualPrecision: Float? = nil, ignoringAntialiasing: Bool = false,
      masks: [Image.Rect] = [], size: CGSize? = nil, scale: Double = 2
    ) -> Snapshotting {
      let diffing = Diffing<Image>.image(
        precision: precision, perceptualPrecision: perceptualPrecision, ignoringAntialiasing: ignoringAntialiasing,
        masks: masks)
      return Snapshotting(pathExtension: "png", diffing: diffing) {
        @MainActor (view: Value, context: SnapshotContext<Image>) in
        if let size { view.bounds.size = size }
        view.layoutIfNeeded()
        let format = UIGraphicsImageRendererFormat()
        format.scale = CGFloat(scale)
        format.preferredRange = .standard
        let png = UIGraphicsImageRenderer(bounds: view.bounds, format: format).pngData { canvas in
          view.layer.render(in: canvas.cgContext)
        }
        return Parallel(value: viewImage(png, scale: scale, context))
      }
    }
  }

  extension Snapshotting where Value: UIViewController, Format == Image {
    /// Captures the view of a controller as an image, and compares exactly; see the function with the same name.
    @MainActor public static var image: Snapshotting { .image() }

    /// Captures the view of a controller as an image; see the strategy for views.
    @MainActor public static func image(
      precision: Float? = nil, perceptualPrecision: Float? = nil, ignoringAntialiasing: Bool = false,
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
#endif

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit

  extension Snapshotting where Value: NSView, Format == Image {
    /// Captures a view as an image, and compares exactly; see the function with the same name.
    ///
    /// ```swift
    /// assertSnapshot(of: view, as: .image)
    /// ```
    @MainActor public static var image: Snapshotting { .image() }

    /// Captures a view as an image, after its layout, in sRGB.
    ///
    /// The scale is that of the view's window, or of the main screen. `size` is in points; `masks` are in pixels.
    ///
    /// The strategy is compiled against stubs of AppKit's interface, and has not been run.
    @MainActor public static func image(
      precision: Float? = nil, perceptualPrecision: Float? = nil, ignoringAntialiasing: Bool = false,
      masks: [Image.Rect] = [], size: CGSize? = nil
    ) -> Snapshotting {
      let diffing = Diffing<Image>.image(
        precision: precision, perceptualPrecision: perceptualPrecision, ignoringAntialiasing: ignoringAntialiasing,
        masks: masks)
      return Snapshotting(pathExtension: "png", diffing: diffing) {
        @MainActor (view: Value, context: SnapshotContext<Image>) in
        if let size { view.frame.size = size }
        view.layoutSubtreeIfNeeded()
        let bitmap = view.bitmapImageRepForCachingDisplay(in: view.bounds)
        if let bitmap { view.cacheDisplay(in: view.bounds, to: bitmap) }
        // The bitmap has the colour space of the screen.
        let standard = bitmap?.converting(to: .sRGB, renderingIntent: .default)
        let png = standard?.representation(using: .png, properties: [:]) ?? Data()
        return Parallel(value: viewImage(png, scale: nil, context))
      }
    }
  }

  extension Snapshotting where Value: NSViewController, Format == Image {
    /// Captures the view of a controller as an image, and compares exactly; see the function with the same name.
    @MainActor public static var image: Snapshotting { .image() }

    /// Captures the view of a controller as an image; see the strategy for views.
    @MainActor public static func image(
      precision: Float? = nil, perceptualPrecision: Float? = nil, ignoringAntialiasing: Bool = false,
      masks: [Image.Rect] = [], size: CGSize? = nil
    ) -> Snapshotting {
      Snapshotting<NSView, Image>.image(
        precision: precision, perceptualPrecision: perceptualPrecision, ignoringAntialiasing: ignoringAntialiasing,
        masks: masks, size: size
      )
      .pullback { @MainActor (controller: Value) in controller.view }
    }
  }
#endif

#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  private func viewImage(_ png: Data, scale: Double?, _ context: SnapshotContext<Image>) -> Image {
    do throws(PNGError) {
      var image = try Image(png: png, scale: scale)
      let system = ProcessInfo.processInfo.operatingSystemVersion
      image.environment = [
        "system": "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)", "scale": "\(image.scale)",
      ]
      return image
    } catch {
      context.fail("Cannot capture the view: it rendered no image. If its size is zero, give it a frame. \(error)")
      return Image(trusted: 1, 1, [0, 0, 0, 0], scale: 1)
    }
  }
#endif
