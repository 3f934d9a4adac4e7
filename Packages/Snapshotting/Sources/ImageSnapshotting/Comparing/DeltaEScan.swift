internal import Foundation

/// Marks the pixels of a row whose ΔE is greater than what is allowed.
///
/// Pixels are taken in groups, and a group that is the same in both pictures costs one comparison.
struct DeltaEScan {
  let kernel = DeltaEKernel()
  let mostSquared: Float
  /// Pixels match only to the bit.
  let isExact: Bool

  private typealias Mark = PixelMarks.Mark
  private static let group = Lanes.scalarCount

  init(mostDeltaE: Float) {
    mostSquared = mostDeltaE * mostDeltaE
    isExact = mostDeltaE == 0
  }

  /// - Returns: The worst of the pixels that were marked, or `nil` when none was.
  func mark(
    _ pair: PixelPair, _ y: Int, _ marks: UnsafeMutableBufferPointer<UInt8>, isMasked: Bool
  ) -> PixelMarks.Worst? {
    guard let one = pair.reference.row(y), let other = pair.new.row(y), memcmp(one, other, pair.width * 4) != 0 else {
      return nil
    }
    var worst: PixelMarks.Worst?
    var x = 0
    while x < pair.width {
      let count = min(Self.group, pair.width - x)
      let (first, second) = (Self.load(one + x * 4, count), Self.load(other + x * 4, count))
      if first != second {
        let squared = kernel.squaredDeltaE(first, second)
        for lane in 0..<count where first[lane] != second[lane] && (!isMasked || marks[x + lane] != Mark.masked) {
          let isHidden = (first[lane] | second[lane]) >> 24 == 0
          guard isExact ? !isHidden : squared[lane] > mostSquared else { continue }
          marks[x + lane] = Mark.changed
          if squared[lane] > worst?.squaredDeltaE ?? -1 {
            worst = PixelMarks.Worst(squaredDeltaE: squared[lane], x: x + lane, y: y)
          }
        }
      }
      x += count
    }
    return worst
  }

  func squaredDeltaE(_ pair: PixelPair, _ x: Int, _ y: Int) -> Float {
    kernel.squaredDeltaE(Pixels(repeating: pair.reference.pixel(x, y)), Pixels(repeating: pair.new.pixel(x, y)))[0]
  }

  private static func load(_ start: UnsafeRawPointer, _ count: Int) -> Pixels {
    if count == group { return Pixels(littleEndian: start.loadUnaligned(as: Pixels.self)) }
    var pixels = Pixels()
    for lane in 0..<count {
      pixels[lane] = UInt32(littleEndian: start.loadUnaligned(fromByteOffset: lane * 4, as: UInt32.self))
    }
    return pixels
  }
}

extension Pixels {
  /// Red in the low byte, alpha in the high one, on any machine.
  fileprivate init(littleEndian pixels: Pixels) {
    #if _endian(little)
      self = pixels
    #else
      self.init()
      for lane in 0..<Self.scalarCount { self[lane] = UInt32(littleEndian: pixels[lane]) }
    #endif
  }
}
