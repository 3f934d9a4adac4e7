import Foundation
import TestSupport
import Testing

@testable import ImageSnapshotting

@Suite("ΔE")
struct DeltaETests {
  private func lab(_ red: UInt32, _ green: UInt32, _ blue: UInt32) -> LabColor {
    withDeltaE { $0.lab(0xFF00_0000 | blue << 16 | green << 8 | red) }
  }

  @Test("the corners of sRGB have the CIE Lab values of published tables, for the white point D65")
  func corners() {
    let published: [([UInt32], [Float])] = [
      ([0, 0, 0], [0, 0, 0]), ([255, 255, 255], [100, 0, 0]), ([255, 0, 0], [53.24, 80.09, 67.20]),
      ([0, 255, 0], [87.73, -86.18, 83.18]), ([0, 0, 255], [32.30, 79.19, -107.86]),
      ([255, 255, 0], [97.14, -21.55, 94.48]), ([0, 255, 255], [91.11, -48.09, -14.13]),
      ([255, 0, 255], [60.32, 98.23, -60.82]), ([128, 128, 128], [53.59, 0, 0]), ([128, 0, 0], [25.54, 48.05, 38.06]),
    ]
    for (color, expected) in published {
      let found = lab(color[0], color[1], color[2])
      for (one, other) in zip([found.lightness, found.a, found.b], expected) {
        #expect(abs(one - other) < 0.03, "\(color)")
      }
    }
  }

  @Test("ΔE is that of the CIE94 formula, with the chroma of the reference as weight")
  func formula() {
    let (reference, new) = (LabColor(lightness: 50, a: 30, b: 40), LabColor(lightness: 53, a: 36, b: 48))
    // The chroma is 50 and 60, and the hue is equal: 3² + (10 / (1 + 0.045 * 50))².
    #expect(abs(reference.squaredDeltaE(to: new) - 18.467) < 0.01)
    // The chroma is equal, and the hue differs by √200: 200 / (1 + 0.015 * 50)².
    #expect(abs(reference.squaredDeltaE(to: LabColor(lightness: 50, a: 40, b: 30)) - 65.306) < 0.01)
  }

  @Test("ΔE of translucent pixels is the larger one of the values over white and over black")
  func translucent() {
    let half: UInt32 = 0x8000_0000
    let (black, white) = (half, half | 0xFF_FFFF)
    let found = withDeltaE { $0.squared(black, white) }.squareRoot()
    // Over black, 128 of 255 are visible, and over white, 127: the first is the larger step in lightness.
    #expect(abs(found - 53.59) < 0.1)
    #expect(withDeltaE { $0.squared(0x00FF_FFFF, 0x0000_0000) } == 0)
  }
}

private func withDeltaE<Result>(_ body: (DeltaE) -> Result) -> Result {
  linearLight.withUnsafeBufferPointer { light in
    guard let start = light.baseAddress else { preconditionFailure("the table has 256 elements") }
    return body(DeltaE(light: start))
  }
}
