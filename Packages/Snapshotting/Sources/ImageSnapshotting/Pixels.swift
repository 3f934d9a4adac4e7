internal import Foundation

/// ΔE between pixels of sRGB: CIE94 with the numbers of graphic arts, in CIE Lab with the white point D65.
struct DeltaE {
  let light: UnsafePointer<Float>

  /// The square of ΔE between two pixels, with red in the low byte and alpha in the high byte.
  ///
  /// Translucent pixels are compared over white and over black, and the larger ΔE counts.
  func squared(_ reference: UInt32, _ new: UInt32) -> Float {
    if reference & new >= 0xFF00_0000 { return lab(reference).squaredDeltaE(to: lab(new)) }
    return max(
      lab(reference.over(255)).squaredDeltaE(to: lab(new.over(255))),
      lab(reference.over(0)).squaredDeltaE(to: lab(new.over(0))))
  }

  /// The colour of an opaque pixel.
  func lab(_ pixel: UInt32) -> LabColor {
    let red = light[Int(pixel & 0xFF)]
    let green = light[Int(pixel &>> 8 & 0xFF)]
    let blue = light[Int(pixel &>> 16 & 0xFF)]
    let x = response((red * 0.412_456_4 + green * 0.357_576_1 + blue * 0.180_437_5) / 0.950_47)
    let y = response(red * 0.212_672_9 + green * 0.715_152_2 + blue * 0.072_175_0)
    let z = response((red * 0.019_333_9 + green * 0.119_192_0 + blue * 0.950_304_1) / 1.088_83)
    return LabColor(lightness: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z))
  }

  private func response(_ light: Float) -> Float {
    light > 216.0 / 24_389 ? cbrtf(light) : (24_389.0 / 27 * light + 16) / 116
  }
}

struct LabColor {
  var lightness: Float
  var a: Float
  var b: Float

  /// The square of ΔE, with the chroma of this colour as reference: the other way round gives another number.
  func squaredDeltaE(to other: LabColor) -> Float {
    let (lightness, a, b) = (other.lightness - lightness, other.a - self.a, other.b - self.b)
    let ownChroma = (self.a * self.a + self.b * self.b).squareRoot()
    let chroma = (other.a * other.a + other.b * other.b).squareRoot() - ownChroma
    let squaredChroma = chroma * chroma
    // Rounding can make it negative.
    let squaredHue = max(a * a + b * b - squaredChroma, 0)
    let chromaWeight = 1 + 0.045 * ownChroma
    let hueWeight = 1 + 0.015 * ownChroma
    return lightness * lightness + squaredChroma / (chromaWeight * chromaWeight) + squaredHue / (hueWeight * hueWeight)
  }
}

/// The light of each sample of sRGB, where white is 1.
let linearLight: [Float] = (0..<256).map { byte in
  let sample = Double(byte) / 255
  return Float(sample <= 0.040_45 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4))
}

struct PixelPlane {
  let start: UnsafeRawPointer
  let width: Int

  func row(_ y: Int) -> UnsafeRawPointer { start + y &* width &* 4 }
}

/// The common area of two images.
struct PixelPair {
  let reference: PixelPlane
  let new: PixelPlane
  let width: Int
  let height: Int

  /// Whether a pixel is antialiased: in both images it is about a mixture of its darkest and its lightest neighbour, and in one of them
  /// it is a thin edge beside a side that is uniform in both.
  ///
  /// The idea is that of V. Vyšniauskas, *Anti-aliased Pixel and Intensity Slope Detector* (2009).
  func isAntialiased(_ x: Int, _ y: Int) -> Bool {
    let (old, new) = (neighbours(x, y, in: reference), neighbours(x, y, in: new))
    return (isEdge(old) || isEdge(new)) && old.isMixture && new.isMixture
  }

  private func isEdge(_ pixel: Neighbours) -> Bool {
    pixel.dark.brightness < pixel.brightness && pixel.brightness < pixel.light.brightness && pixel.equal <= 2
      && (isUniform(pixel.dark.x, pixel.dark.y) || isUniform(pixel.light.x, pixel.light.y))
  }

  private func isUniform(_ x: Int, _ y: Int) -> Bool {
    neighbours(x, y, in: reference).equal > 2 && neighbours(x, y, in: new).equal > 2
  }

  private func neighbours(_ x: Int, _ y: Int, in plane: PixelPlane) -> Neighbours {
    var result = Neighbours(plane.row(y).pixel(x))
    // The outside of the image counts as equal to its edge.
    if x == 0 || y == 0 || x == width &- 1 || y == height &- 1 { result.equal = 1 }
    var row = max(y &- 1, 0)
    while row <= min(y &+ 1, height &- 1) {
      let pixels = plane.row(row)
      var column = max(x &- 1, 0)
      while column <= min(x &+ 1, width &- 1) {
        if column != x || row != y { result.add(pixels.pixel(column), column, row) }
        column &+= 1
      }
      row &+= 1
    }
    return result
  }
}

private struct Neighbours {
  let color: UInt32
  let brightness: Int
  var dark = (brightness: Int.max, color: UInt32(0), x: 0, y: 0)
  var light = (brightness: Int.min, color: UInt32(0), x: 0, y: 0)
  /// The number of neighbours of the same brightness.
  var equal = 0

  /// The maximum distance of a colour from a mixture, in steps of a channel, for gradients and rounding.
  private static let maximumDistance: Float = 24

  init(_ color: UInt32) {
    self.color = color
    brightness = color.brightness
  }

  mutating func add(_ neighbour: UInt32, _ x: Int, _ y: Int) {
    let other = neighbour.brightness
    if other < dark.brightness { dark = (other, neighbour, x, y) }
    if other > light.brightness { light = (other, neighbour, x, y) }
    if other == brightness { equal &+= 1 }
  }

  var isMixture: Bool {
    let (start, way) = (dark.color.overWhite, light.color.overWhite - dark.color.overWhite)
    let step = color.overWhite - start
    let share = min(max((step * way).sum() / max((way * way).sum(), 1), 0), 1)
    let rest = step - way * share
    return (rest * rest).sum() <= Self.maximumDistance * Self.maximumDistance
  }
}

extension UInt32 {
  /// Brightness over white, weighted as in BT.709, in whole numbers.
  fileprivate var brightness: Int {
    let (red, green, blue) = (Int(self & 0xFF), Int(self &>> 8 & 0xFF), Int(self &>> 16 & 0xFF))
    let alpha = Int(self &>> 24)
    return (2_126 &* red &+ 7_152 &* green &+ 722 &* blue) &* alpha &+ 2_550_000 &* (255 &- alpha)
  }

  fileprivate var overWhite: SIMD3<Float> {
    let seen = over(255)
    return SIMD3(Float(seen & 0xFF), Float(seen &>> 8 & 0xFF), Float(seen &>> 16 & 0xFF))
  }

  /// The opaque pixel that a translucent one shows over a grey ground.
  func over(_ ground: UInt32) -> UInt32 {
    let (alpha, rest) = (self &>> 24, ground &* (255 &- self &>> 24) &+ 127)
    let red = ((self & 0xFF) &* alpha &+ rest) / 255
    let green = ((self &>> 8 & 0xFF) &* alpha &+ rest) / 255
    let blue = ((self &>> 16 & 0xFF) &* alpha &+ rest) / 255
    return 0xFF00_0000 | blue &<< 16 | green &<< 8 | red
  }
}

extension UnsafeRawPointer {
  /// Red in the low byte, alpha in the high one.
  func pixel(_ index: Int) -> UInt32 {
    UInt32(littleEndian: loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
  }
}
