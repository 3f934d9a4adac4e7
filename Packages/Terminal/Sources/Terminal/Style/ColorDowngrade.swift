extension Color {
  /// Returns the nearest colour that an output with this capability supports, or `.default` for no colour.
  ///
  /// The distance is a weighted distance in sRGB that approximates perception. The sixteen named colours have xterm's
  /// shades, because the theme's shades cannot be queried. The result never needs more colours than the original, and
  /// converting it again does not change it.
  func downgraded(to capability: ColorCapability) -> Color {
    switch (capability, self) {
    case (.none, _), (_, .default): return .default
    case (_, .ansi), (.trueColor, _), (.ansi256, .palette): return self
    case (.ansi256, .rgb(let red, let green, let blue)):
      return .palette(Palette.nearest(to: RGB(red: red, green: green, blue: blue)))
    case (.ansi16, .palette(let index)):
      if let named = ANSIColor(rawValue: index) { return .ansi(named) }
      return .ansi(Palette.nearestNamed(to: Palette.color(at: index)))
    case (.ansi16, .rgb(let red, let green, let blue)):
      return .ansi(Palette.nearestNamed(to: RGB(red: red, green: green, blue: blue)))
    }
  }
}

/// A 24-bit colour by its components, for arithmetic.
struct RGB: Hashable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  /// Returns the squared "redmean" distance, which weights green most, and red and blue by the mean red component.
  func distance(to other: RGB) -> Int {
    let mean = (Int(red) + Int(other.red)) / 2
    let red = Int(self.red) - Int(other.red)
    let green = Int(self.green) - Int(other.green)
    let blue = Int(self.blue) - Int(other.blue)
    return (((512 + mean) * red * red) >> 8) + 4 * green * green + (((767 - mean) * blue * blue) >> 8)
  }
}

/// The 256 colours of xterm.
enum Palette {
  static func color(at index: UInt8) -> RGB {
    switch index {
    case 0..<16:
      return named[Int(index)]
    case 16..<232:
      let cube = Int(index) - 16
      return RGB(red: steps[cube / 36], green: steps[cube / 6 % 6], blue: steps[cube % 6])
    default:
      let grey = 8 + 10 * (index - 232)
      return RGB(red: grey, green: grey, blue: grey)
    }
  }

  static func nearest(to color: RGB) -> UInt8 {
    let cube = 16 + 36 * step(color.red) + 6 * step(color.green) + step(color.blue)
    let mean = (Int(color.red) + Int(color.green) + Int(color.blue)) / 3
    let grey = 232 + min(max((mean - 3) / 10, 0), 23)
    let candidates = [UInt8(cube), UInt8(grey)]
    return candidates[1...].reduce(candidates[0]) { best, next in
      self.color(at: next).distance(to: color) < self.color(at: best).distance(to: color) ? next : best
    }
  }

  static func nearestNamed(to color: RGB) -> ANSIColor {
    ANSIColor.allCases.reduce(.black) { best, next in
      named[Int(next.rawValue)].distance(to: color) < named[Int(best.rawValue)].distance(to: color) ? next : best
    }
  }

  private static let steps: [UInt8] = [0, 95, 135, 175, 215, 255]

  private static func step(_ component: UInt8) -> Int {
    component < 48 ? 0 : component < 115 ? 1 : (Int(component) - 35) / 40
  }

  private static let named: [RGB] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
    (255, 255, 255),
  ].map { RGB(red: $0.0, green: $0.1, blue: $0.2) }
}
