internal import Foundation

/// What became of each pixel that two pictures have in common.
struct PixelMarks {
  /// A byte for each pixel.
  enum Mark {
    static let same: UInt8 = 0
    static let changed: UInt8 = 1
    static let antialiased: UInt8 = 2
    static let masked: UInt8 = 3
  }

  let width: Int
  let height: Int
  private(set) var marks: [UInt8]
  private(set) var maskedCount = 0
  private(set) var antialiasedCount = 0
  /// The worst of the pixels that changed.
  private(set) var worst: Worst?

  struct Worst {
    var squaredDeltaE: Float
    var x: Int
    var y: Int
  }

  init(_ reference: Image, _ new: Image, _ comparison: ImageComparison) {
    width = min(reference.width, new.width)
    height = min(reference.height, new.height)
    marks = [UInt8](repeating: Mark.same, count: width * height)
    for mask in comparison.masks { cover(mask) }
    reference.pixels.withUnsafeBytes { one in
      new.pixels.withUnsafeBytes { other in
        let pair = PixelPair(
          reference: PixelPlane(bytes: one, width: reference.width, height: reference.height),
          new: PixelPlane(bytes: other, width: new.width, height: new.height), width: width, height: height)
        mark(pair, comparison)
      }
    }
  }

  private mutating func cover(_ mask: Image.Rect) {
    let inside = mask.intersection(Image.Rect(x: 0, y: 0, width: width, height: height))
    for y in inside.rows {
      for index in y * width + inside.x..<y * width + inside.x + inside.width where marks[index] != Mark.masked {
        marks[index] = Mark.masked
        maskedCount += 1
      }
    }
  }

  private mutating func mark(_ pair: PixelPair, _ comparison: ImageComparison) {
    let scan = DeltaEScan(mostDeltaE: comparison.mostDeltaE)
    let isMasked = maskedCount > 0
    let (width, height) = (width, height)
    var rows = marks
    // The only one who holds it writes in place.
    marks = []
    rows.withUnsafeMutableBufferPointer { marks in
      for y in 0..<height {
        let row = UnsafeMutableBufferPointer(rebasing: marks[y * width..<(y + 1) * width])
        guard let worstOfRow = scan.mark(pair, y, row, isMasked: isMasked) else { continue }
        // Whether it is smoothing is decided before it may be the worst.
        if comparison.ignoresAntialiasing {
          remark(pair, y, row, scan)
        } else if worstOfRow.squaredDeltaE > worst?.squaredDeltaE ?? -1 {
          worst = worstOfRow
        }
      }
    }
    marks = rows
  }

  private mutating func remark(
    _ pair: PixelPair, _ y: Int, _ row: UnsafeMutableBufferPointer<UInt8>, _ scan: DeltaEScan
  ) {
    for x in row.indices where row[x] == Mark.changed {
      if pair.isAntialiased(x, y) {
        row[x] = Mark.antialiased
        antialiasedCount += 1
      } else {
        let deltaE = scan.squaredDeltaE(pair, x, y)
        if deltaE > worst?.squaredDeltaE ?? -1 { worst = Worst(squaredDeltaE: deltaE, x: x, y: y) }
      }
    }
  }
}

/// The pixels of a picture in memory.
struct PixelPlane {
  let bytes: UnsafeRawBufferPointer
  let width: Int
  let height: Int

  func pixel(_ x: Int, _ y: Int) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: (y * width + x) * 4, as: UInt32.self))
  }

  func row(_ y: Int) -> UnsafeRawPointer? {
    bytes.baseAddress.map { $0 + y * width * 4 }
  }
}

/// Two pictures, and the size of what they have in common.
struct PixelPair {
  let reference: PixelPlane
  let new: PixelPlane
  let width: Int
  let height: Int
}
