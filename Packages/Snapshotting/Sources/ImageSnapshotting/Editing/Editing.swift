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
}
