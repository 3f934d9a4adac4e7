import Foundation
import TestSupport
import Testing

@testable import ImageSnapshotting

@Suite("ΔE")
struct DeltaETests {
  private func lab(_ red: UInt32, _ green: UInt32, _ blue: UInt32) throws -> LabColor {
    try #require(DeltaE.with { $0.lab(0xFF00_0000 | blue << 16 | green << 8 | red) })
  }

  @Test("the corners of sRGB have the CIE Lab values of published tables, for the white point D65")
  func corners() throws {
    let published: [([UInt32], [Float])] = [
      ([0, 0, 0], [0, 0, 0]), ([255, 255, 255], [100, 0, 0]), ([255, 0, 0], [53.24, 80.09, 67.20]),
      ([0, 255, 0], [87.73, -86.18, 83.18]), ([0, 0, 255], [32.30, 79.19, -107.86]),
      ([255, 255, 0], [97.14, -21.55, 94.48]), ([0, 255, 255], [91.11, -48.09, -14.13]),
      ([255, 0, 255], [60.32, 98.23, -60.82]), ([128, 128, 128], [53.59, 0, 0]), ([128, 0, 0], [25.54, 48.05, 38.06]),
    ]
    for (color, expected) in published {
      let found = try lab(color[0], color[1], color[2])
      for (one, other) in zip([found.lightness, found.a, found.b], expected) {
        #expect(abs(one - other) < 0.03, "\(color)")
      }
    }
  }

  @Test("CIE94 has its published values")
  func published() {
    func deltaE(_ one: (Float, Float, Float), _ other: (Float, Float, Float)) -> Float {
      LabColor(lightness: one.0, a: one.1, b: one.2)
        .squaredDeltaE(to: LabColor(lightness: other.0, a: other.1, b: other.2)).squareRoot()
    }
    #expect(abs(deltaE((0.9, 16.3, -2.22), (0.7, 14.2, -1.80)) - 1.249) < 0.001)
    #expect(abs(deltaE((50, 0, 0), (51, 0, 0)) - 1) < 0.0001)
    // A difference of 10 in chroma, at a chroma of 20.
    #expect(abs(deltaE((50, 20, 0), (50, 30, 0)) - 10 / 1.9) < 0.0001)
    #expect(deltaE((50, 20, 5), (50, 20, 5)) == 0)
  }

  @Test("ΔE of random pixels is within 0.05 of the formula, and within the computed bounds")
  func tables() throws {
    var random = SeededGenerator(seed: 94)
    var worst = 0.0
    for _ in 0..<20_000 {
      let (one, other) = (
        UInt32.random(in: 0..<1 << 24, using: &random), UInt32.random(in: 0..<1 << 24, using: &random)
      )
      let (reference, new) = (one | 0xFF00_0000, other | 0xFF00_0000)
      let found = try #require(DeltaE.with { Double($0.squared(reference, new)).squareRoot() })
      worst = max(worst, abs(found - exactDeltaE(one, other)))
      let bounds = try #require(DeltaE.with { $0.bounds(reference, new) })
      let squared = Float(found * found)
      #expect(bounds.lower <= squared + 0.01 && squared <= bounds.upper * 1.0001 + 0.01, "\(one), \(other)")
    }
    #expect(worst < 0.05, "\(worst)")
  }

  @Test("ΔE of neighbouring dark colours, where the tables are least exact, is within 0.05 of the formula")
  func dark() throws {
    var worst = 0.0
    for red in UInt32(0)..<24 {
      for green in UInt32(0)..<24 {
        let (one, other) = (red << 8 | green, (red + 1) << 8 | green)
        let found = try #require(DeltaE.with { $0.squared(one | 0xFF00_0000, other | 0xFF00_0000) })
        worst = max(worst, abs(Double(found).squareRoot() - exactDeltaE(one, other)))
      }
    }
    #expect(worst < 0.05, "\(worst)")
  }

  @Test("ΔE of translucent pixels is the larger one of the values over white and over black")
  func translucent() throws {
    let half: UInt32 = 0x8000_0000
    let (black, white) = (half, half | 0xFF_FFFF)
    let found = try #require(DeltaE.with { $0.squared(black, white) }).squareRoot()
    // Over black, 128 of 255 are visible, and over white, 127: the first is the larger step in lightness.
    #expect(abs(Double(found) - exactDeltaE(0, 0x80_8080)) < 0.1)
    #expect(try #require(DeltaE.with { $0.squared(0x00FF_FFFF, 0x0000_0000) }) == 0)
  }
}

/// The textbook formula of ΔE by CIE94, for colours with red in the low byte.
private func exactDeltaE(_ reference: UInt32, _ new: UInt32) -> Double {
  let (one, other) = (exactLab(reference), exactLab(new))
  let (c1, c2) = (hypot(one[1], one[2]), hypot(other[1], other[2]))
  let (l, a, b, c) = (one[0] - other[0], one[1] - other[1], one[2] - other[2], c1 - c2)
  let hue = max(0, a * a + b * b - c * c)
  return (l * l + pow(c / (1 + 0.045 * c1), 2) + hue / pow(1 + 0.015 * c1, 2)).squareRoot()
}

private func exactLab(_ pixel: UInt32) -> [Double] {
  let light = [pixel & 0xFF, pixel >> 8 & 0xFF, pixel >> 16 & 0xFF].map { byte in
    let value = Double(byte) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
  let rows = [
    [0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041],
  ]
  let response = zip(rows, [0.95047, 1, 1.08883]).map { row, white in
    let value = zip(row, light).map(*).reduce(0, +) / white
    return value > 216.0 / 24389 ? cbrt(value) : (24389.0 / 27 * value + 16) / 116
  }
  return [116 * response[1] - 16, 500 * (response[0] - response[1]), 200 * (response[1] - response[2])]
}
