internal import Foundation

/// The result of the comparison for each pixel in the common area of two images.
///
/// Tests run without optimisation, and images have millions of pixels. Therefore the loops use raw memory, and `memcmp` skips equal
/// pixels.
struct PixelMarks {
  enum Mark {
    static let same: UInt8 = 0
    static let changed: UInt8 = 1
    static let antialiased: UInt8 = 2
    static let masked: UInt8 = 3
  }

  struct Change {
    var squaredDistance: Float
    var x: Int
    var y: Int
  }

  let width: Int
  let height: Int
  let marks: [UInt8]
  private(set) var maskedCount = 0
  let changedCount: Int
  let antialiasedCount: Int
  var comparedCount: Int { width * height - maskedCount }
  /// The first changed pixel with the largest distance.
  let worst: Change?

  init(_ reference: Image, _ new: Image, _ comparison: ImageComparison) {
    width = min(reference.width, new.width)
    height = min(reference.height, new.height)
    var marks = [UInt8](repeating: Mark.same, count: width * height)
    for mask in comparison.masks { maskedCount += Self.cover(mask, &marks, width, height) }
    let (width, height, hasMasks) = (width, height, maskedCount > 0)
    let scan = reference.pixels.withUnsafeBytes { one in
      new.pixels.withUnsafeBytes { other in
        marks.withUnsafeMutableBufferPointer { marks -> RowScan? in
          guard let one = one.baseAddress, let other = other.baseAddress, let marks = marks.baseAddress else {
            return nil
          }
          let pair = PixelPair(
            reference: PixelPlane(start: one, width: reference.width),
            new: PixelPlane(start: other, width: new.width), width: width, height: height)
          return DeltaE.with { deltaE in
            var scan = RowScan(pair, deltaE, comparison, hasMasks: hasMasks)
            for y in 0..<height { scan.mark(y, marks + y * width) }
            return scan
          }
        }
      }
    }
    self.marks = marks
    worst = scan?.worst
    changedCount = scan?.changedCount ?? 0
    antialiasedCount = scan?.antialiasedCount ?? 0
  }

  /// - Returns: The number of newly covered pixels.
  private static func cover(_ mask: Image.Rect, _ marks: inout [UInt8], _ width: Int, _ height: Int) -> Int {
    let inside = mask.intersection(Image.Rect(x: 0, y: 0, width: width, height: height))
    var count = 0
    for y in inside.rows {
      for index in y * width + inside.x..<y * width + inside.x + inside.width where marks[index] != Mark.masked {
        marks[index] = Mark.masked
        count += 1
      }
    }
    return count
  }
}

private struct RowScan {
  private(set) var worst: PixelMarks.Change?
  private(set) var changedCount = 0
  private(set) var antialiasedCount = 0

  private var worstSquared: Float = -1
  private let pair: PixelPair
  private let deltaE: DeltaE
  private let mostSquared: Float
  private let isExact: Bool
  private let ignoresAntialiasing: Bool
  private let hasMasks: Bool
  private let isYIQ: Bool

  private typealias Mark = PixelMarks.Mark

  init(_ pair: PixelPair, _ deltaE: DeltaE, _ comparison: ImageComparison, hasMasks: Bool) {
    self.pair = pair
    self.deltaE = deltaE
    let most = comparison.maximumDistance
    mostSquared = most * most
    isExact = most == 0
    isYIQ = comparison.colorDistance == .yiq
    ignoresAntialiasing = comparison.ignoresAntialiasing
    self.hasMasks = hasMasks
  }

  mutating func mark(_ y: Int, _ marks: UnsafeMutablePointer<UInt8>) {
    let (one, other, width) = (pair.reference.row(y), pair.new.row(y), pair.width)
    guard memcmp(one, other, width * 4) != 0 else { return }
    // Neighbouring pixels often have the same change.
    var (first, second, bounds) = (UInt32(0), UInt32(0), DeltaE.Bounds())
    var x = 0
    while x < width {
      // Most pixels of a row are equal.
      if x &+ 16 <= width, memcmp(one + x &* 4, other + x &* 4, 64) == 0 {
        x &+= 16
        continue
      }
      let end = min(x &+ 16, width)
      while x < end {
        let (old, new) = (one.pixel(x), other.pixel(x))
        if old != new, (old | new) >= 0x100_0000, !hasMasks || marks[x] != Mark.masked {
          if old != first || new != second {
            bounds = isYIQ ? DeltaE.Bounds(YIQ.squaredDistance(old, new)) : deltaE.bounds(old, new)
            // The exact distance is slow, and only needed near the limit.
            if !isExact, bounds.lower <= mostSquared, bounds.upper > mostSquared {
              bounds = DeltaE.Bounds(deltaE.squared(old, new))
            }
            (first, second) = (old, new)
          }
          if isExact || bounds.lower > mostSquared { mark(x, y, bounds, marks) }
        }
        x &+= 1
      }
    }
  }

  @inline(__always)
  private mutating func mark(_ x: Int, _ y: Int, _ bounds: DeltaE.Bounds, _ marks: UnsafeMutablePointer<UInt8>) {
    if ignoresAntialiasing, pair.isAntialiased(x, y) {
      marks[x] = Mark.antialiased
      antialiasedCount &+= 1
      return
    }
    marks[x] = Mark.changed
    changedCount &+= 1
    if bounds.upper > worstSquared {
      let (old, new) = (pair.reference.row(y).pixel(x), pair.new.row(y).pixel(x))
      let squared = isYIQ ? YIQ.squaredDistance(old, new) : deltaE.squared(old, new)
      guard squared > worstSquared else { return }
      worstSquared = squared
      worst = PixelMarks.Change(squaredDistance: squared, x: x, y: y)
    }
  }
}

struct PixelPlane {
  let start: UnsafeRawPointer
  let width: Int

  @inline(__always)
  func row(_ y: Int) -> UnsafeRawPointer { start + y &* width &* 4 }
}

struct PixelPair {
  let reference: PixelPlane
  let new: PixelPlane
  let width: Int
  let height: Int
}

extension UInt32 {
  /// - Parameter shift: 0 for red, 8 for green, 16 for blue.
  @inline(__always)
  func channel(_ shift: UInt32, over ground: UInt32) -> UInt32 {
    let alpha = self &>> 24
    return ((self &>> shift & 0xFF) &* alpha &+ ground &* (255 &- alpha) &+ 127) / 255
  }
}

extension UnsafeRawPointer {
  /// Red in the low byte, alpha in the high one.
  @inline(__always)
  func pixel(_ index: Int) -> UInt32 {
    UInt32(littleEndian: loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
  }
}
