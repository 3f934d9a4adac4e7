internal import Foundation
public import Snapshotting

extension Diffing where Value == Image {
  /// Compares pictures to the bit; the same as ``image(precision:perceptualPrecision:ignoringAntialiasing:colorDistance:masks:)`` without
  /// arguments.
  public static var image: Diffing { .image() }

  /// Compares pictures, and shows what differs.
  ///
  /// References are PNG files, of any kind; what is written has eight bits for each sample. When pictures do not match, the
  /// message says how many pixels differ, where and how much, and the attachment `difference.png` marks them. An assertion
  /// adds the reference and the new picture.
  ///
  /// - Parameters:
  ///   - precision: The least share of pixels that have to match, from 0 to 1.
  ///   - perceptualPrecision: How near a colour has to be to match, from 0 to 1, by ΔE; 0.98 is as exact as the eye. See
  ///     ``ImageComparison/perceptualPrecision``.
  ///   - ignoringAntialiasing: Whether pixels match that differ only because an edge is smoothed differently.
  ///   - masks: What is not compared.
  public static func image(
    precision: Float = 1, perceptualPrecision: Float = 1, ignoringAntialiasing: Bool = false,
    colorDistance: ImageComparison.ColorDistance = .deltaE, masks: [Image.Rect] = []
  ) -> Diffing {
    let comparison = ImageComparison(
      precision: precision.asTyped, perceptualPrecision: perceptualPrecision.asTyped,
      ignoresAntialiasing: ignoringAntialiasing, colorDistance: colorDistance, masks: masks)
    return Diffing(
      // Only without memory is there no file; nothing is what can be read then, and the reason is what reading says.
      toData: { image in (try? image.pngData()) ?? Data() },
      fromData: { data in try Image(png: data) },
      diff: { reference, new in
        guard let difference = comparison.difference(from: reference, to: new) else { return nil }
        let picture = try? difference.picture.pngData()
        return (difference.description, picture.map { [SnapshotAttachment(data: $0, name: "difference.png")] } ?? [])
      })
  }
}

extension Snapshotting where Value == Image, Format == Image {
  /// Keeps a picture as a PNG file, and compares to the bit.
  ///
  /// ```swift
  /// assertSnapshot(of: chart, as: .image)
  /// let pages = Snapshotting<Image, Image>.image.asyncPullback { (page: Page) in page.picture }
  /// ```
  public static var image: Snapshotting { .image() }

  /// Keeps a picture as a PNG file.
  ///
  /// - Parameters:
  ///   - precision: The least share of pixels that have to match, from 0 to 1.
  ///   - perceptualPrecision: How near a colour has to be to match, from 0 to 1, by ΔE; 0.98 is as exact as the eye. See
  ///     ``ImageComparison/perceptualPrecision``.
  ///   - ignoringAntialiasing: Whether pixels match that differ only because an edge is smoothed differently.
  ///   - masks: What is not compared.
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
  /// The decimal number that was typed, without what a `Float` makes of it: 0.98 and not 0.9800000191.
  fileprivate var asTyped: Double { Double("\(self)") ?? Double(self) }
}
