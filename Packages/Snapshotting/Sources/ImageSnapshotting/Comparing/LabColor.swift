struct LabColor {
  var lightness: Float
  var a: Float
  var b: Float

  /// The square of ΔE of CIE94, with the numbers of graphic arts: 1 for the three weights, and 0.045 and 0.015 for the
  /// influence of this colour's chroma.
  ///
  /// This colour is the reference: the other way round gives another number.
  @inline(__always)
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
