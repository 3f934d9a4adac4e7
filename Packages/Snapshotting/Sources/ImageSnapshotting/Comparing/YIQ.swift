/// The colour distance of pixelmatch: differences of brightness count more than differences of hue.
///
/// Y. Kotsarenko and F. Ramos, *Measuring perceived color difference using YIQ NTSC transmission color space* (2010).
enum YIQ {
  /// The distance of black and white, squared.
  private static let maximum: Float = 35_215

  /// The square of the distance of two pixels, where black and white have the distance 100.
  static func squaredDistance(_ one: UInt32, _ other: UInt32) -> Float {
    if one & other >= 0xFF00_0000 { return squaredDistance(one, other, over: 255) }
    return max(squaredDistance(one, other, over: 255), squaredDistance(one, other, over: 0))
  }

  private static func squaredDistance(_ one: UInt32, _ other: UInt32, over ground: Float) -> Float {
    let difference = { (shift: UInt32) -> Float in
      let seen = { (pixel: UInt32) -> Float in
        let alpha = Float(pixel &>> 24) / 255
        return ground + (Float(pixel &>> shift & 0xFF) - ground) * alpha
      }
      return seen(one) - seen(other)
    }
    let (red, green, blue) = (difference(0), difference(8), difference(16))
    let y = red * 0.298_895_31 + green * 0.586_622_47 + blue * 0.114_482_23
    let i = red * 0.595_977_99 - green * 0.274_176_10 - blue * 0.321_801_89
    let q = red * 0.211_470_17 - green * 0.522_617_11 + blue * 0.311_146_94
    return (0.505_3 * y * y + 0.299 * i * i + 0.195_7 * q * q) / maximum * 10_000
  }
}
