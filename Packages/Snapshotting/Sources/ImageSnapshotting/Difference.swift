internal import Foundation

/// The difference between two images.
///
/// Returned by ``ImageComparison/difference(from:to:)``.
public struct ImageDifference: Sendable {
  public let reference: Image

  public let new: Image

  /// Rectangles around the different pixels, in the descending order of their number.
  ///
  /// Neighbouring pixels are in one rectangle. Rectangles may overlap.
  public let regions: [Image.Rect]

  let comparison: ImageComparison
  let marks: PixelMarks

  init(_ reference: Image, _ new: Image, marks: PixelMarks, comparison: ImageComparison) {
    (self.reference, self.new, self.marks, self.comparison) = (reference, new, marks, comparison)
    regions = changedRegions(marks)
  }

  /// The number of different pixels in the common area outside of masks.
  public var changedPixels: Int { marks.changedCount }

  /// The number of pixels in the common area outside of masks.
  public var comparedPixels: Int { marks.comparedCount }

  /// The number of pixels that differ in antialiasing and are ignored.
  public var antialiasedPixels: Int { marks.antialiasedCount }

  /// The largest ΔE of a pixel that does not match; 0 if all match.
  public var worstDistance: Double { Double(marks.worst?.squared ?? 0).squareRoot() }

  /// The column and the row of the pixel with the largest ΔE.
  public var worstPlace: (x: Int, y: Int)? { marks.worst.map { ($0.x, $0.y) } }
}

extension ImageDifference: CustomStringConvertible {
  /// The sentences of a failure report: environments that differ, sizes, the number of different pixels, and their places.
  public var description: String {
    let isSameSize = reference.width == new.width && reference.height == new.height
    var sentences: [String] = []
    if let environmentSentence { sentences.append(environmentSentence) }
    if !isSameSize {
      sentences.append(
        """
        The reference is \(reference.width)×\(reference.height) pixels, the new image is \(new.width)×\(new.height).
        """)
    }
    if isSameSize || changedPixels > 0 { sentences.append(countSentence(isSameSize)) }
    if !regions.isEmpty { sentences.append(regionSentence) }
    if isSameSize, comparison.precision < 1 {
      let share = Double(comparedPixels - changedPixels) / Double(max(comparedPixels, 1))
      sentences.append("\(percent(share)) match; the required precision is \(percent(comparison.precision)).")
    }
    if antialiasedPixels > 0 {
      sentences.append("Ignored pixels that differ only in antialiasing: \(antialiasedPixels).")
    }
    return sentences.joined(separator: " ")
  }

  private var environmentSentence: String? {
    guard !reference.environment.isEmpty else { return nil }
    let names = Set(reference.environment.keys).union(new.environment.keys).sorted()
    let changes = names.filter { reference.environment[$0] != new.environment[$0] }
      .map { name in
        let (old, now) = (reference.environment[name] ?? "unknown", new.environment[name] ?? "unknown")
        return "\(name) is \(old) in the reference and \(now) now"
      }
    guard !changes.isEmpty else { return nil }
    return """
      The images come from different environments: \(changes.joined(separator: "; ")). Take both images in the same \
      environment before you look for another cause.
      """
  }

  private func countSentence(_ isSameSize: Bool) -> String {
    let place = worstPlace.map { "; the largest ΔE is \(decimal(worstDistance)) at (\($0.x), \($0.y))" } ?? ""
    let share = percent(Double(changedPixels) / Double(max(comparedPixels, 1)))
    let common = isSameSize ? "" : " in the common area"
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

  /// Returns a number with up to four decimals.
  private func decimal(_ number: Double) -> String {
    let text = String(format: "%.4f", number)
    return String(text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed())
  }
}

/// Returns rectangles around neighbouring changed pixels, in the descending order of their number.
///
/// The image is divided into tiles. Touching tiles with changed pixels are one region.
private func changedRegions(_ marks: PixelMarks) -> [Image.Rect] {
  let side = 16
  let (columns, rows) = ((marks.width + side - 1) / side, (marks.height + side - 1) / side)
  var tiles = [Region](repeating: Region(), count: columns * rows)
  marks.marks.withUnsafeBytes { bytes in
    for y in 0..<marks.height {
      var x = 0
      while x < marks.width, let start = bytes.baseAddress.map({ $0 + y * marks.width }),
        let next = memchr(start + x, Int32(PixelMarks.changed), marks.width - x)
      {
        x = start.distance(to: UnsafeRawPointer(next))
        tiles[y / side * columns + x / side].add(x, y)
        x += 1
      }
    }
  }
  var regions: [Region] = []
  for index in tiles.indices where tiles[index].count > 0 {
    var region = Region()
    var waiting = [index]
    while let next = waiting.popLast() {
      guard tiles[next].count > 0 else { continue }
      region.merge(tiles[next])
      tiles[next] = Region()
      for row in max(next / columns - 1, 0)...min(next / columns + 1, rows - 1) {
        waiting += (max(next % columns - 1, 0)...min(next % columns + 1, columns - 1)).map { row * columns + $0 }
      }
    }
    regions.append(region)
  }
  return regions.sorted { ($1.count, $0.top, $0.left) < ($0.count, $1.top, $1.left) }.map(\.rect)
}

private struct Region {
  private(set) var count = 0
  private(set) var (left, top) = (Int.max, Int.max)
  private var (right, bottom) = (-1, -1)

  var rect: Image.Rect { Image.Rect(x: left, y: top, width: right - left + 1, height: bottom - top + 1) }

  mutating func add(_ x: Int, _ y: Int) {
    count &+= 1
    (left, top) = (min(left, x), min(top, y))
    (right, bottom) = (max(right, x), max(bottom, y))
  }

  mutating func merge(_ other: Region) {
    count += other.count
    (left, top) = (min(left, other.left), min(top, other.top))
    (right, bottom) = (max(right, other.right), max(bottom, other.bottom))
  }
}
