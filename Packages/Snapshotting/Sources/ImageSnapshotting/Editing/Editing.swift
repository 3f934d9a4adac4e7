extension Image {
  /// The part of this picture within a rectangle; `nil` when they have nothing in common.
  ///
  /// - Parameter rect: The part; what of it is outside of the picture is left out.
  public func cropped(to rect: Rect) -> Image? {
    let part = rect.intersection(bounds)
    guard !part.isEmpty else { return nil }
    guard part != bounds else { return self }
    var result: [UInt8] = []
    result.reserveCapacity(part.width * part.height * 4)
    for y in part.rows {
      let start = (y * width + part.x) * 4
      result += pixels[start..<start + part.width * 4]
    }
    return with(width: part.width, height: part.height, pixels: result)
  }

  /// This picture with rectangles painted over, alpha included.
  ///
  /// To leave regions out of a comparison without changing what is kept, use ``ImageComparison/masks``.
  ///
  /// - Parameters:
  ///   - rects: What is painted over; what is outside of the picture is ignored.
  ///   - pixel: The colour.
  public func masked(_ rects: some Sequence<Rect>, with pixel: Pixel = .black) -> Image {
    var result = pixels
    result.withUnsafeMutableBufferPointer { bytes in
      for rect in rects {
        let part = rect.intersection(bounds)
        for y in part.rows {
          let start = (y * width + part.x) * 4
          fill(UnsafeMutableBufferPointer(rebasing: bytes[start..<start + part.width * 4]), with: pixel)
        }
      }
    }
    return with(width: width, height: height, pixels: result)
  }

  /// This picture with another one laid over it, translucent where that one is (Porter and Duff's *over*).
  ///
  /// Numbers are mixed as they are, as browsers do, and rounded to the nearest.
  ///
  /// - Parameters:
  ///   - top: The picture on top; what of it is outside of this one is left out.
  ///   - x: The column of its first one.
  ///   - y: The row of its first one.
  public func composed(under top: Image, x: Int = 0, y: Int = 0) -> Image {
    let part = Rect(x: x, y: y, width: top.width, height: top.height).intersection(bounds)
    guard !part.isEmpty else { return self }
    var result = pixels
    result.withUnsafeMutableBufferPointer { bytes in
      top.pixels.withUnsafeBufferPointer { over in
        for row in part.rows {
          for column in part.columns {
            Self.mix(over, ((row - y) * top.width + column - x) * 4, into: bytes, (row * width + column) * 4)
          }
        }
      }
    }
    return with(width: width, height: height, pixels: result)
  }

  private static func mix(
    _ source: UnsafeBufferPointer<UInt8>, _ from: Int, into target: UnsafeMutableBufferPointer<UInt8>, _ to: Int
  ) {
    let (front, back) = (UInt32(source[from + 3]), UInt32(target[to + 3]))
    guard front > 0 else { return }
    guard front < 255, back > 0 else {
      for channel in 0..<4 { target[to + channel] = source[from + channel] }
      return
    }
    // All weights are in parts of 255 × 255.
    let behind = back * (255 - front)
    let whole = front * 255 + behind
    for channel in 0..<3 {
      let sum = UInt32(source[from + channel]) * front * 255 + UInt32(target[to + channel]) * behind
      target[to + channel] = UInt8((sum + whole / 2) / whole)
    }
    target[to + 3] = UInt8((whole + 127) / 255)
  }
}
