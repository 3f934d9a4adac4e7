internal import Foundation
public import Snapshotting

extension Diffing where Value == Image {
  /// Compares images exactly; the same as ``image(precision:perceptualPrecision:ignoringAntialiasing:masks:)`` without arguments.
  public static var image: Diffing { .image() }

  /// Compares images, and marks the differences.
  ///
  /// References are PNG files of any kind; colour profiles are not applied. If the images do not match, the message has the number of
  /// different pixels, their places and the largest ΔE, and the attachment `difference.png` shows the reference, the marked differences
  /// and the new image.
  ///
  /// - Parameters:
  ///   - precision: The minimum share of pixels that match, from 0 to 1. Without it, `SnapshotPrecision.precision`, or 1.
  ///   - perceptualPrecision: The required similarity of colours, from 0 to 1: a pixel matches if its ΔE is at most
  ///     `(1 - perceptualPrecision) * 100`. Without it, `SnapshotPrecision.perceptualPrecision`, or 1.
  ///   - ignoringAntialiasing: Whether differences in the smoothing of edges match.
  ///   - masks: Rectangles that are not compared, in pixels. A mask outside of the image, and masks over the whole image, are errors.
  public static func image(
    precision: Float? = nil, perceptualPrecision: Float? = nil, ignoringAntialiasing: Bool = false,
    masks: [Image.Rect] = []
  ) -> Diffing {
    let comparison = { @Sendable in
      ImageComparison(
        precision: (precision ?? SnapshotPrecision.precision ?? 1).asTyped,
        perceptualPrecision: (perceptualPrecision ?? SnapshotPrecision.perceptualPrecision ?? 1).asTyped,
        ignoringAntialiasing: ignoringAntialiasing, masks: masks)
    }
    var diffing = Diffing(
      // Encoding fails only without memory. Decoding the empty file then reports an error.
      toData: { image in (try? image.pngData()) ?? Data() },
      fromData: { data in try Image(reference: data) },
      diff: { reference, new in
        let comparison = comparison()
        if let problem = comparison.problem(with: new) { return (problem, []) }
        guard let difference = comparison.difference(from: reference, to: new) else { return nil }
        let picture = try? difference.sideBySide.pngData()
        return (difference.description, picture.map { [SnapshotAttachment(data: $0, name: "difference.png")] } ?? [])
      })
    diffing.makeSettings = { comparison().settings }
    diffing.problem = { comparison().problem(with: $0) }
    diffing.warnings = { image in
      guard image.isOneColor else { return [] }
      return ["All pixels of the image (\(image)) have one colour. Check that its content is drawn."]
    }
    return diffing
  }
}

extension Snapshotting where Value == Image, Format == Image {
  /// Stores an image as a PNG file, and compares exactly.
  ///
  /// ```swift
  /// assertSnapshot(of: chart, as: .image)
  /// let pages = Snapshotting<Image, Image>.image.asyncPullback { (page: Page) in page.image }
  /// ```
  public static var image: Snapshotting { .image() }

  /// Stores an image as a PNG file; see the function of `Diffing` with the same name.
  ///
  /// ```swift
  /// assertSnapshot(of: chart, as: .image(precision: 0.999, perceptualPrecision: 0.98))
  /// ```
  public static func image(
    precision: Float? = nil, perceptualPrecision: Float? = nil, ignoringAntialiasing: Bool = false,
    masks: [Image.Rect] = []
  ) -> Snapshotting {
    Snapshotting(
      pathExtension: "png",
      diffing: .image(
        precision: precision, perceptualPrecision: perceptualPrecision, ignoringAntialiasing: ignoringAntialiasing,
        masks: masks))
  }
}

extension Float {
  /// The decimal number in the source code: 0.98 and not 0.9800000191.
  fileprivate var asTyped: Double { Double("\(self)") ?? Double(self) }
}
