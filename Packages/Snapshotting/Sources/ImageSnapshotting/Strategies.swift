internal import Foundation
public import Snapshotting

extension Diffing where Value == Image {
  /// Compares images exactly; the same as ``image(precision:perceptualPrecision:ignoringAntialiasing:colorDistance:masks:)`` without
  /// arguments.
  public static var image: Diffing { .image() }

  /// Compares images, and marks the differences.
  ///
  /// References are PNG files of any kind. New files have eight bits for each sample. If the images do not match, the
  /// message has the number of different pixels, their places and the largest distance, and the attachment
  /// `difference.png` marks them. An assertion adds the reference and the new image.
  public static func image(
    precision: Float = 1, perceptualPrecision: Float = 1, ignoringAntialiasing: Bool = false,
    colorDistance: ImageComparison.ColorDistance = .deltaE, masks: [Image.Rect] = []
  ) -> Diffing {
    let comparison = ImageComparison(
      precision: precision.asTyped, perceptualPrecision: perceptualPrecision.asTyped,
      ignoringAntialiasing: ignoringAntialiasing, colorDistance: colorDistance, masks: masks)
    var diffing = Diffing(
      // Encoding fails only without memory. Decoding the empty file then reports an error.
      toData: { image in (try? image.pngData()) ?? Data() },
      fromData: { data in try Image(reference: data) },
      diff: { reference, new in
        guard let difference = comparison.difference(from: reference, to: new) else { return nil }
        let picture = try? difference.image.pngData()
        return (difference.description, picture.map { [SnapshotAttachment(data: $0, name: "difference.png")] } ?? [])
      })
    diffing.settings = comparison.settings
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

  /// Stores an image as a PNG file.
  ///
  /// ```swift
  /// assertSnapshot(of: chart, as: .image(precision: 0.999, perceptualPrecision: 0.98))
  /// ```
  public static func image(
    precision: Float = 1, perceptualPrecision: Float = 1, ignoringAntialiasing: Bool = false,
    colorDistance: ImageComparison.ColorDistance = .deltaE, masks: [Image.Rect] = []
  ) -> Snapshotting {
    Snapshotting(
      pathExtension: "png",
      diffing: .image(
        precision: precision, perceptualPrecision: perceptualPrecision, ignoringAntialiasing: ignoringAntialiasing,
        colorDistance: colorDistance, masks: masks))
  }
}

extension Float {
  /// The decimal number in the source code: 0.98 and not 0.9800000191.
  fileprivate var asTyped: Double { Double("\(self)") ?? Double(self) }
}
