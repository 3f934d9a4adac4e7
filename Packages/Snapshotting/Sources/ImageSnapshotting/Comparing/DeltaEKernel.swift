internal import Foundation

typealias Lanes = SIMD8<Float>
typealias Pixels = SIMD8<UInt32>

/// ΔE of CIE94 between eight pairs of pixels at once.
///
/// The numbers are those of graphic arts: 1 for the three weights, 0.045 and 0.015 for the influence of the reference's chroma.
/// Colours are sRGB; white is that of D65.
struct DeltaEKernel {
  private let linear = LinearLight.table

  /// The squares of ΔE, in pixels of red in the low byte and alpha in the high one.
  func squaredDeltaE(_ reference: Pixels, _ new: Pixels) -> Lanes {
    let opaque = Pixels(repeating: 0xFF00_0000)
    if (reference & new & opaque) == opaque { return squaredDeltaEOfOpaque(reference, new) }
    let overWhite = squaredDeltaEOfOpaque(reference.over(255), new.over(255))
    let overBlack = squaredDeltaEOfOpaque(reference.over(0), new.over(0))
    return overWhite.replacing(with: overBlack, where: overBlack .> overWhite)
  }

  private func squaredDeltaEOfOpaque(_ reference: Pixels, _ new: Pixels) -> Lanes {
    let (one, other) = (lab(reference), lab(new))
    return one.squaredDeltaE(to: other)
  }

  private func lab(_ pixels: Pixels) -> LabLanes {
    var (red, green, blue) = (Lanes(), Lanes(), Lanes())
    linear.withUnsafeBufferPointer { linear in
      for lane in 0..<Lanes.scalarCount {
        let pixel = Int(pixels[lane])
        red[lane] = linear[pixel & 0xFF]
        green[lane] = linear[pixel >> 8 & 0xFF]
        blue[lane] = linear[pixel >> 16 & 0xFF]
      }
    }
    return LabLanes(red: red, green: green, blue: blue)
  }
}

/// Eight colours in CIE Lab.
struct LabLanes {
  var lightness: Lanes
  var a: Lanes
  var b: Lanes

  /// - Parameters: In linear light, from 0 to 1.
  init(red: Lanes, green: Lanes, blue: Lanes) {
    // The matrix of sRGB, each row divided by what white has in it.
    let x = response(red * 0.433_953 + green * 0.376_219 + blue * 0.189_828)
    let y = response(red * 0.212_672_9 + green * 0.715_152_2 + blue * 0.072_174_9)
    let z = response(red * 0.017_756_6 + green * 0.109_467_4 + blue * 0.872_776)
    lightness = y * 116 - 16
    a = (x - y) * 500
    b = (y - z) * 200
  }

  init(lightness: Lanes, a: Lanes, b: Lanes) {
    self.lightness = lightness
    self.a = a
    self.b = b
  }

  func squaredDeltaE(to other: LabLanes) -> Lanes {
    let (lightness, a, b) = (other.lightness - lightness, other.a - self.a, other.b - self.b)
    let ownChroma = (self.a * self.a + self.b * self.b).squareRoot()
    let chroma = (other.a * other.a + other.b * other.b).squareRoot() - ownChroma
    let squaredHue = a * a + b * b - chroma * chroma
    let hue = squaredHue.replacing(with: 0, where: squaredHue .< 0)
    let chromaWeight = ownChroma * 0.045 + 1
    let hueWeight = ownChroma * 0.015 + 1
    return lightness * lightness + chroma * chroma / (chromaWeight * chromaWeight) + hue / (hueWeight * hueWeight)
  }
}

/// The cube root above a small value, and a line below it, as CIE Lab has it.
private func response(_ value: Lanes) -> Lanes {
  let line = value * 7.787_037 + 0.137_931_03
  return cubeRoot(value).replacing(with: line, where: value .<= 0.008_856_452)
}

/// The cube root of values between 0.0088 and 1: a guess within a tenth, made better twice by Halley's method, which
/// leaves what a `Float` cannot hold.
private func cubeRoot(_ value: Lanes) -> Lanes {
  var root = ((value * 0.74 - 1.53) * value + 1.49) * value + 0.27
  for _ in 0..<2 {
    let cube = root * root * root
    root *= (cube + value * 2) / (cube * 2 + value)
  }
  return root
}

extension Pixels {
  /// The pixels as seen over a grey ground, opaque.
  fileprivate func over(_ ground: UInt32) -> Pixels {
    var result = Pixels()
    for lane in 0..<Self.scalarCount {
      let pixel = self[lane]
      let alpha = pixel >> 24
      var seen: UInt32 = 0xFF00_0000
      for shift in [UInt32(0), 8, 16] {
        let sum = (pixel >> shift & 0xFF) * alpha + ground * (255 - alpha)
        seen |= (sum + 127) / 255 << shift
      }
      result[lane] = seen
    }
    return result
  }
}

/// How much light a byte of sRGB stands for.
enum LinearLight {
  static let table: [Float] = (0..<256).map { byte in
    let value = Double(byte) / 255
    return Float(value <= 0.040_45 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
  }
}
