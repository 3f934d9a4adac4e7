import Foundation

extension Picture {
  /// Returns the picture scaled to a grid by area average, row by row; `nil` for a mostly transparent cell.
  ///
  /// A pixel across a border contributes to each cell by the part inside it, so every pixel has the same total weight.
  /// Linear in the number of pixels and of grid cells.
  func averaged(columns: Int, rows: Int) -> [RGB?] {
    let across = Self.spans(from: width, to: columns)
    let down = Self.spans(from: height, to: rows)
    var result: [RGB?] = []
    result.reserveCapacity(columns * rows)
    for span in down {
      var sums = [Light](repeating: Light(), count: columns)
      for (y, weight) in span {
        for column in 0..<columns {
          for (x, part) in across[column] { sums[column].add(pixels, at: 4 * (y * width + x), weight: weight * part) }
        }
      }
      result += sums.map(\.color)
    }
    return result
  }

  /// Returns, for each of `target` equal intervals of `source` pixels, the covered pixels and the covered part of each.
  private static func spans(from source: Int, to target: Int) -> [[(index: Int, weight: Double)]] {
    let ratio = Double(source) / Double(target)
    return (0..<target).map { place in
      let start = Double(place) * ratio
      let end = min(Double(place + 1) * ratio, Double(source))
      let first = min(Int(start), source - 1)
      let last = min(max(Int(end.rounded(.up)), first + 1), source)
      return (first..<last).map { index in
        (index, max(min(end, Double(index + 1)) - max(start, Double(index)), 0))
      }
    }
  }
}

/// A sum of pixels in linear light, because averages in linear light match perception from a distance.
private struct Light {
  private var red = 0.0
  private var green = 0.0
  private var blue = 0.0
  private var opacity = 0.0
  private var area = 0.0

  mutating func add(_ pixels: [UInt8], at offset: Int, weight: Double) {
    let alpha = Double(pixels[offset + 3]) / 255 * weight
    red += Self.linear[Int(pixels[offset])] * alpha
    green += Self.linear[Int(pixels[offset + 1])] * alpha
    blue += Self.linear[Int(pixels[offset + 2])] * alpha
    opacity += alpha
    area += weight
  }

  var color: RGB? {
    guard area > 0, opacity / area >= 0.5 else { return nil }
    return RGB(
      red: Self.encoded(red / opacity), green: Self.encoded(green / opacity), blue: Self.encoded(blue / opacity))
  }

  private static let linear: [Double] = (0...255).map { byte in
    let value = Double(byte) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  private static func encoded(_ value: Double) -> UInt8 {
    let component = value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
    return UInt8(min(max((component * 255).rounded(), 0), 255))
  }
}
