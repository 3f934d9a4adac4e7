internal import Foundation

/// ΔE between pixels of sRGB, by tables.
///
/// Tables are as fast as vector instructions with optimisation, and thirty times as fast without it, as in most tests.
struct DeltaE {
  private let light: UnsafePointer<Int32>
  private let response: UnsafePointer<Float>

  /// Calls a function with the tables, which are valid during the call.
  static func with<Result>(_ body: (DeltaE) -> Result) -> Result? {
    LabTables.light.withUnsafeBufferPointer { light in
      LabTables.response.withUnsafeBufferPointer { response in
        guard let light = light.baseAddress, let response = response.baseAddress else { return nil }
        return body(DeltaE(light: light, response: response))
      }
    }
  }

  /// The square of ΔE between two pixels, with red in the low byte and alpha in the high byte.
  ///
  /// Translucent pixels are compared over white and over black, and the larger ΔE counts.
  @inline(__always)
  func squared(_ reference: UInt32, _ new: UInt32) -> Float {
    if reference & new >= 0xFF00_0000 { return lab(reference).squaredDeltaE(to: lab(new)) }
    return max(squaredOver(255, reference, new), squaredOver(0, reference, new))
  }

  struct Bounds {
    var lower: Float = 0
    var upper: Float = 0

    init() {}
    init(_ exact: Float) { (lower, upper) = (exact, exact) }
    init(lower: Float, upper: Float) { (self.lower, self.upper) = (lower, upper) }
  }

  /// The lightness counts in full.
  ///
  /// The rest counts at most with the weight of the hue, which divides by less than that of the chroma.
  @inline(__always)
  func bounds(_ reference: UInt32, _ new: UInt32) -> Bounds {
    guard reference & new >= 0xFF00_0000 else { return Bounds(squared(reference, new)) }
    let (one, other) = (lab(reference), lab(new))
    let (lightness, a, b) = (other.lightness - one.lightness, other.a - one.a, other.b - one.b)
    let lower = lightness * lightness
    // A lower bound of the square of the hue's weight, which is 1 + 0.015 times the chroma.
    let weight = 1 + 0.000_225 * (one.a * one.a + one.b * one.b)
    return Bounds(lower: lower, upper: lower + (a * a + b * b) / weight)
  }

  private func squaredOver(_ ground: UInt32, _ reference: UInt32, _ new: UInt32) -> Float {
    lab(seen(reference, over: ground)).squaredDeltaE(to: lab(seen(new, over: ground)))
  }

  /// The colour of an opaque pixel, with the white of D65.
  @inline(__always)
  func lab(_ pixel: UInt32) -> LabColor {
    let red = light + Int(truncatingIfNeeded: pixel & 0xFF) &* 3
    let green = light + (Int(truncatingIfNeeded: pixel &>> 8 & 0xFF) &* 3 &+ 768)
    let blue = light + (Int(truncatingIfNeeded: pixel &>> 16 & 0xFF) &* 3 &+ 1_536)
    let x = response(to: red[0] &+ green[0] &+ blue[0])
    let y = response(to: red[1] &+ green[1] &+ blue[1])
    let z = response(to: red[2] &+ green[2] &+ blue[2])
    return LabColor(lightness: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z))
  }

  @inline(__always)
  private func response(to light: Int32) -> Float {
    let line = response + Int(truncatingIfNeeded: light &>> LabTables.stepBits) &* 2
    return line[0] + line[1] * Float(light)
  }

  private func seen(_ pixel: UInt32, over ground: UInt32) -> UInt32 {
    let (red, green, blue) = (
      pixel.channel(0, over: ground), pixel.channel(8, over: ground), pixel.channel(16, over: ground)
    )
    return 0xFF00_0000 | blue &<< 16 | green &<< 8 | red
  }
}

/// Light is an integer, which becomes an index without a check.
///
/// The tables fit into the first cache of a processor.
private enum LabTables {
  /// The bits of light within a step of ``response``.
  static let stepBits: Int32 = 12

  /// The parts of X, Y and Z for each amount of red, then of green, then of blue.
  static let light: [Int32] = matrix.flatMap { parts in
    (0..<256).flatMap { byte in
      let light = ColorSpace.light(ofStandard: Double(byte) / 255)
      return parts.map { Int32((light * $0 * white).rounded()) }
    }
  }

  /// A linear approximation of the response of CIE Lab for each step of light: its value at zero and its slope.
  ///
  /// The error is at most 2 · 10⁻⁵, and less than 0.05 in ΔE.
  static let response: [Float] = (0...steps).flatMap { step in
    let (from, to) = (exactResponse(step), exactResponse(step + 1))
    return [Float(from - (to - from) * Double(step)), Float((to - from) * Double(steps) / white)]
  }

  private static let steps = 2_048
  /// The light of white, which rounding may exceed slightly.
  private static let white = Double(steps << Int(stepBits))

  /// The matrix of sRGB by columns.
  ///
  /// Each row is divided by its value of white.
  private static let matrix: [[Double]] = [
    [0.412_456_4 / 0.950_47, 0.212_672_9, 0.019_333_9 / 1.088_83],
    [0.357_576_1 / 0.950_47, 0.715_152_2, 0.119_192_0 / 1.088_83],
    [0.180_437_5 / 0.950_47, 0.072_175_0, 0.950_304_1 / 1.088_83],
  ]

  private static func exactResponse(_ step: Int) -> Double {
    let light = Double(step) / Double(steps)
    return light > 216.0 / 24_389 ? cbrt(light) : (24_389.0 / 27 * light + 16) / 116
  }
}
