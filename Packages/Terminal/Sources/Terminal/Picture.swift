/// A picture as pixels, which can be drawn in a terminal's cells.
///
/// A cell shows two half blocks, an upper and a lower pixel, each nearly square.
public struct Picture: Hashable, Sendable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// Red, green, blue and alpha of each pixel, row by row from the top left: sRGB, not premultiplied.
  public let pixels: [UInt8]

  /// Creates a picture; `nil` unless both sides are positive and `pixels` has four bytes for each pixel.
  public init?(width: Int, height: Int, pixels: [UInt8]) {
    let (area, overflows) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflows, pixels.count / 4 == area, pixels.count % 4 == 0 else { return nil }
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Returns a screen with the picture, as large as fits into these columns and rows with its proportions kept.
  ///
  /// Each half cell is the average of the pixels it covers. A mostly transparent half cell shows the terminal's
  /// background. Without colours, denser characters represent brighter cells,
  /// for light text on a dark background. The screen has at least one cell, unless `columns` or `rows` is zero or less;
  /// then it is empty.
  ///
  /// ```swift
  /// print(puffin.screen(columns: 40, rows: 20, color: color).styledText(color: color))
  /// ```
  public func screen(columns: Int, rows: Int, color: ColorCapability) -> Screen {
    guard let size = fitted(columns: min(columns, Screen.maximumSide), rows: min(rows, Screen.maximumSide)) else {
      return Screen(columns: 0, rows: 0)
    }
    var screen = Screen(columns: size.columns, rows: size.rows)
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        let upper = average(column: column, of: size.columns, row: 2 * row, of: 2 * size.rows)
        let lower = average(column: column, of: size.columns, row: 2 * row + 1, of: 2 * size.rows)
        let (character, style) = color == .none ? Self.weight(upper, lower) : Self.halfBlock(upper, lower)
        screen.write(String(character), at: Position(column: column, row: row), style: style)
      }
    }
    return screen
  }

  /// Returns the largest size in cells with the picture's proportions, or `nil` when `columns` or `rows` is zero or less.
  private func fitted(columns: Int, rows: Int) -> (columns: Int, rows: Int)? {
    guard columns > 0, rows > 0 else { return nil }
    let scale = min(Double(columns) / Double(width), Double(rows * 2) / Double(height))
    let across = Int((Double(width) * scale).rounded())
    let down = Int((Double(height) * scale / 2).rounded())
    return (min(max(across, 1), columns), min(max(down, 1), rows))
  }

  /// Returns the average of the pixels in a place of a grid, weighted by their alpha; `nil` if they are mostly transparent.
  private func average(column: Int, of columns: Int, row: Int, of rows: Int) -> RGB? {
    let left = column * width / columns
    let top = row * height / rows
    var (red, green, blue, alpha, count) = (0, 0, 0, 0, 0)
    for y in top..<max((row + 1) * height / rows, top + 1) {
      for x in left..<max((column + 1) * width / columns, left + 1) {
        let index = 4 * (y * width + x)
        let weight = Int(pixels[index + 3])
        red += Int(pixels[index]) * weight
        green += Int(pixels[index + 1]) * weight
        blue += Int(pixels[index + 2]) * weight
        alpha += weight
        count += 1
      }
    }
    guard alpha * 2 >= count * 255 else { return nil }
    return RGB(red: UInt8(red / alpha), green: UInt8(green / alpha), blue: UInt8(blue / alpha))
  }

  private static func halfBlock(_ upper: RGB?, _ lower: RGB?) -> (Character, Style) {
    switch (upper, lower) {
    case (nil, nil): (" ", .plain)
    case (let upper?, nil): ("▀", Style(foreground: upper.color))
    case (nil, let lower?): ("▄", Style(foreground: lower.color))
    case (let upper?, let lower?): ("▀", Style(foreground: upper.color, background: lower.color))
    }
  }

  private static func weight(_ upper: RGB?, _ lower: RGB?) -> (Character, Style) {
    let ramp: [Character] = [" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"]
    let most = 2 * RGB(red: 255, green: 255, blue: 255).luma
    let brightness = (upper?.luma ?? 0) + (lower?.luma ?? 0)
    return (ramp[brightness * (ramp.count - 1) / most], .plain)
  }
}

extension RGB {
  fileprivate var color: Color { .rgb(red, green, blue) }

  /// The brightness, weighted as in BT.709.
  fileprivate var luma: Int { 2126 * Int(red) + 7152 * Int(green) + 722 * Int(blue) }
}
