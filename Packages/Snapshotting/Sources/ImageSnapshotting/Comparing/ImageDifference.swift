internal import Foundation

/// The difference between two images.
///
/// ``ImageComparison/difference(from:to:)`` returns it.
public struct ImageDifference: Sendable {
  public let reference: Image

  public let new: Image

  /// The number of different pixels in the common area outside of masks.
  public let changedPixels: Int

  /// The number of pixels in the common area outside of masks.
  public let comparedPixels: Int

  /// The number of pixels that differ in antialiasing and are ignored.
  public let antialiasedPixels: Int

  /// Rectangles around the different pixels, in the descending order of their number.
  ///
  /// Neighbouring pixels are in one rectangle. Rectangles may overlap.
  public let regions: [Image.Rect]

  /// The largest colour distance of a pixel that does not match; 0 if all match.
  public let worstDistance: Double

  /// The column and the row of the pixel with the largest distance.
  public let worstPlace: (x: Int, y: Int)?

  let comparison: ImageComparison
  let marks: PixelMarks

  init(_ reference: Image, _ new: Image, marks: PixelMarks, comparison: ImageComparison) {
    self.reference = reference
    self.new = new
    self.marks = marks
    self.comparison = comparison
    changedPixels = marks.changedCount
    comparedPixels = marks.comparedCount
    regions = changedRegions(marks)
    antialiasedPixels = marks.antialiasedCount
    worstDistance = Double(marks.worst?.squaredDistance ?? 0).squareRoot()
    worstPlace = marks.worst.map { ($0.x, $0.y) }
  }
}

extension ImageDifference: CustomStringConvertible {
  public var description: String {
    var sentences: [String] = []
    let sameSize = reference.width == new.width && reference.height == new.height
    if !sameSize {
      sentences.append(
        """
        The reference is \(reference.width)×\(reference.height) pixels, the new image is \(new.width)×\(new.height).
        """)
    }
    if reference.colorSpace != new.colorSpace {
      sentences.append(
        """
        The colour spaces differ: \(colors(reference, beside: new)) in the reference, \
        \(colors(new, beside: reference)) in the new image. Record the reference again, or convert one of the images.
        """)
      if sameSize, changedPixels == 0, antialiasedPixels == 0 {
        sentences.append("The values of all \(comparedPixels) pixels match.")
        return sentences.joined(separator: " ")
      }
    }
    if sameSize || changedPixels > 0 { sentences.append(countSentence(sameSize)) }
    if !regions.isEmpty { sentences.append(regionSentence) }
    if sameSize, comparison.precision < 1 {
      let share = Double(comparedPixels - changedPixels) / Double(max(comparedPixels, 1))
      sentences.append("\(percent(share)) match; the required precision is \(percent(comparison.precision)).")
    }
    if antialiasedPixels > 0 {
      sentences.append(
        antialiasedPixels == 1
          ? "1 more pixel differs only in antialiasing and is ignored."
          : "\(antialiasedPixels) more pixels differ only in antialiasing and are ignored.")
    }
    return sentences.joined(separator: " ")
  }

  /// The name of a colour space, with a fingerprint if the other one has the same name.
  private func colors(_ image: Image, beside other: Image) -> String {
    let name = image.colorSpace.description
    return name == other.colorSpace.description ? "\(name) (\(image.colorSpace.fingerprint))" : name
  }

  private func countSentence(_ sameSize: Bool) -> String {
    let measure = comparison.colorDistance == .yiq ? "YIQ distance" : "ΔE"
    let place = worstPlace.map { "; the largest \(measure) is \(decimal(worstDistance)) at (\($0.x), \($0.y))" } ?? ""
    let share = percent(Double(changedPixels) / Double(max(comparedPixels, 1)))
    let common = sameSize ? "" : " in the common area"
    return changedPixels == 1
      ? "1 of \(comparedPixels) pixels\(common) differs (\(share))\(place)."
      : "\(changedPixels) of \(comparedPixels) pixels\(common) differ (\(share))\(place)."
  }

  private var regionSentence: String {
    let shown = regions.prefix(5).map(\.description).joined(separator: ", ")
    let more = regions.count > 5 ? " and \(regions.count - 5) smaller regions" : ""
    return regions.count == 1 ? "They are within \(shown)." : "They are in \(regions.count) regions: \(shown)\(more)."
  }

  private func percent(_ share: Double) -> String {
    "\(decimal(share * 100)) %"
  }

  private func decimal(_ number: Double) -> String {
    guard number != 0, number.isFinite else { return "0" }
    let digits = max(0, 3 - Int(log10(abs(number)).rounded(.down)))
    let text = String(format: "%.\(min(digits, 12))f", number)
    guard text.contains(".") else { return text }
    let trimmed = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
    return String(trimmed.reversed())
  }
}
