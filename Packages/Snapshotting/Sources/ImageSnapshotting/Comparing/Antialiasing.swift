/// Detects pixels of smoothed edges.
///
/// Each of the three searches around a pixel has its own loop, because tests run without optimisation, where closures
/// are slow. The idea is that of V. Vyšniauskas, *Anti-aliased Pixel and Intensity Slope Detector* (2009).
extension PixelPair {
  func isAntialiased(_ x: Int, _ y: Int) -> Bool {
    (isBetweenSides(x, y, in: reference, andThen: new) || isBetweenSides(x, y, in: new, andThen: reference))
      && isMixed(x, y, in: reference) && isMixed(x, y, in: new)
  }

  private func isBetweenSides(_ x: Int, _ y: Int, in plane: PixelPlane, andThen other: PixelPlane) -> Bool {
    let center = brightness(plane.row(y).pixel(x))
    var (darkest, lightest) = (0, 0)
    var (darkX, darkY, lightX, lightY) = (x, y, x, y)
    // The outside of the image counts as equal to its edge.
    var equal = isAtEdge(x, y) ? 1 : 0
    var row = max(y &- 1, 0)
    while row <= min(y &+ 1, height &- 1) {
      let pixels = plane.row(row)
      var column = max(x &- 1, 0)
      while column <= min(x &+ 1, width &- 1) {
        let change = brightness(pixels.pixel(column)) &- center
        if change < darkest {
          (darkest, darkX, darkY) = (change, column, row)
        } else if change > lightest {
          (lightest, lightX, lightY) = (change, column, row)
        } else if change == 0, column != x || row != y {
          equal &+= 1
          if equal > 2 { return false }
        }
        column &+= 1
      }
      row &+= 1
    }
    guard darkest < 0, lightest > 0 else { return false }
    return isPlain(darkX, darkY, in: plane) && isPlain(darkX, darkY, in: other)
      || isPlain(lightX, lightY, in: plane) && isPlain(lightX, lightY, in: other)
  }

  private func isPlain(_ x: Int, _ y: Int, in plane: PixelPlane) -> Bool {
    let color = plane.row(y).pixel(x)
    // The count includes the pixel itself.
    var equal = isAtEdge(x, y) ? 0 : -1
    var row = max(y &- 1, 0)
    while row <= min(y &+ 1, height &- 1) {
      let pixels = plane.row(row)
      var column = max(x &- 1, 0)
      while column <= min(x &+ 1, width &- 1) {
        if pixels.pixel(column) == color { equal &+= 1 }
        column &+= 1
      }
      row &+= 1
    }
    return equal > 2
  }

  private func isMixed(_ x: Int, _ y: Int, in plane: PixelPlane) -> Bool {
    var (dark, light) = (UInt32(0), UInt32(0))
    var (least, most) = (Int.max, Int.min)
    var row = max(y &- 1, 0)
    while row <= min(y &+ 1, height &- 1) {
      let pixels = plane.row(row)
      var column = max(x &- 1, 0)
      while column <= min(x &+ 1, width &- 1) {
        if column != x || row != y {
          let color = pixels.pixel(column)
          let brightness = brightness(color)
          if brightness < least { (least, dark) = (brightness, color) }
          if brightness > most { (most, light) = (brightness, color) }
        }
        column &+= 1
      }
      row &+= 1
    }
    return isNear(plane.row(y).pixel(x), from: dark, to: light)
  }

  private func isAtEdge(_ x: Int, _ y: Int) -> Bool {
    x == 0 || y == 0 || x == width &- 1 || y == height &- 1
  }
}

/// Brightness over white, weighted as in BT.709, in whole numbers.
@inline(__always)
private func brightness(_ pixel: UInt32) -> Int {
  let (red, green, blue) = (Int(pixel & 0xFF), Int(pixel &>> 8 & 0xFF), Int(pixel &>> 16 & 0xFF))
  let alpha = Int(pixel &>> 24)
  return (2_126 &* red &+ 7_152 &* green &+ 722 &* blue) &* alpha &+ 2_550_000 &* (255 &- alpha)
}

/// The maximum distance of a colour from a mixture, in steps of a channel, which allows for gradients and rounding.
private let mostOff = 24

private func isNear(_ pixel: UInt32, from one: UInt32, to other: UInt32) -> Bool {
  let (start, end) = (OverWhite(one), OverWhite(other))
  let (way, step) = (end.minus(start), OverWhite(pixel).minus(start))
  let (length, along) = (way.times(way), step.times(way))
  let most = mostOff &* mostOff
  if along <= 0 { return step.times(step) <= most }
  if along >= length {
    let rest = OverWhite(pixel).minus(end)
    return rest.times(rest) <= most
  }
  return step.times(step) &* length &- along &* along <= most &* length
}

/// The colour of a pixel over white, or the difference between two colours.
private struct OverWhite {
  private let red, green, blue: Int

  private init(_ red: Int, _ green: Int, _ blue: Int) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  init(_ pixel: UInt32) {
    let channel = { (shift: UInt32) in Int(pixel.channel(shift, over: 255)) }
    self.init(channel(0), channel(8), channel(16))
  }

  func minus(_ other: OverWhite) -> OverWhite {
    OverWhite(red &- other.red, green &- other.green, blue &- other.blue)
  }

  func times(_ other: OverWhite) -> Int { red &* other.red &+ green &* other.green &+ blue &* other.blue }
}
