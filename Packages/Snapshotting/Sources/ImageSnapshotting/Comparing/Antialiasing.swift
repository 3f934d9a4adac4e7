/// Finds out whether a pixel is one of a smoothed edge.
///
/// Such a pixel lies between a darker and a lighter side, and at least one of the sides is a plain area in both pictures.
/// The idea is that of V. Vyšniauskas, *Anti-aliased Pixel and Intensity Slope Detector* (2009).
extension PixelPair {
  /// Whether the pixel is one of a smoothed edge in one of the pictures.
  func isAntialiased(_ x: Int, _ y: Int) -> Bool {
    isAntialiased(x, y, in: reference, andThen: new) || isAntialiased(x, y, in: new, andThen: reference)
  }

  private func isAntialiased(_ x: Int, _ y: Int, in plane: PixelPlane, andThen other: PixelPlane) -> Bool {
    let center = plane.brightness(x, y)
    var (darkest, lightest) = (0, 0)
    var (darkestPlace, lightestPlace) = ((x, y), (x, y))
    // What is outside of the picture looks like the edge.
    var equal = isAtEdge(x, y) ? 1 : 0
    for (column, row) in neighbours(x, y) {
      let change = plane.brightness(column, row) - center
      if change == 0 {
        equal += 1
        if equal > 2 { return false }
      } else if change < darkest {
        (darkest, darkestPlace) = (change, (column, row))
      } else if change > lightest {
        (lightest, lightestPlace) = (change, (column, row))
      }
    }
    guard darkest < 0, lightest > 0 else { return false }
    return [darkestPlace, lightestPlace].contains { place in
      isPlain(place.0, place.1, in: plane) && isPlain(place.0, place.1, in: other)
    }
  }

  /// Whether a pixel has at least three neighbours of its own colour.
  private func isPlain(_ x: Int, _ y: Int, in plane: PixelPlane) -> Bool {
    let color = plane.pixel(x, y)
    var equal = isAtEdge(x, y) ? 1 : 0
    for (column, row) in neighbours(x, y) where plane.pixel(column, row) == color { equal += 1 }
    return equal > 2
  }

  private func isAtEdge(_ x: Int, _ y: Int) -> Bool {
    x == 0 || y == 0 || x == width - 1 || y == height - 1
  }

  /// The up to eight places around one.
  private func neighbours(_ x: Int, _ y: Int) -> some Sequence<(Int, Int)> {
    (max(y - 1, 0)...min(y + 1, height - 1)).lazy.flatMap { row in
      (max(x - 1, 0)...min(x + 1, width - 1)).lazy.filter { $0 != x || row != y }.map { ($0, row) }
    }
  }
}

extension PixelPlane {
  /// Brightness over white, weighted as in BT.709, in whole numbers.
  fileprivate func brightness(_ x: Int, _ y: Int) -> Int {
    let pixel = Int(pixel(x, y))
    let (red, green, blue, alpha) = (pixel & 0xFF, pixel >> 8 & 0xFF, pixel >> 16 & 0xFF, pixel >> 24)
    return (2_126 * red + 7_152 * green + 722 * blue) * alpha + 2_550_000 * (255 - alpha)
  }
}
