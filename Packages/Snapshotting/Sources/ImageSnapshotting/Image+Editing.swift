extension Image {
  /// Returns the part of the image in a rectangle, which is clipped to the image; `nil` if it is empty.
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

  /// Returns the image with rectangles of one colour, which are clipped to the image.
  ///
  /// To exclude regions from a comparison without a change of the image, use ``ImageComparison/masks``.
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
