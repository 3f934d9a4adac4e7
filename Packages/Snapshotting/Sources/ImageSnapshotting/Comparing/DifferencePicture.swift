extension ImageDifference {
  /// The reference, faded, with what differs marked: changed pixels in red, each region in a blue frame, the smoothing of
  /// edges in yellow, masks in grey, and what only one of the pictures has in light red.
  ///
  /// It is as large as the larger one of the pictures in each direction, and is made anew each time.
  public var picture: Image {
    let width = max(reference.width, new.width)
    let height = max(reference.height, new.height)
    let pixels = makePixels(width * height) { bytes in
      marks.marks.withUnsafeBufferPointer { marks in
        for y in 0..<height {
          for x in 0..<width {
            let mark =
              x < self.marks.width && y < self.marks.height ? marks[y * self.marks.width + x] : Self.missing
            let pixel = mark == PixelMarks.Mark.same ? faded(x, y) : Self.colors[Int(mark)]
            pixel.store(in: bytes, at: (y * width + x) * 4)
          }
        }
      }
      for region in regions { frame(region, bytes, width, height) }
    }
    return Image(trusted: width, height, pixels, scale: new.scale, colorSpace: .sRGB, file: nil)
  }

  private static let missing: UInt8 = 4
  private static let frameColor = Image.Pixel(red: 0, green: 96, blue: 255)
  private static let colors: [Image.Pixel] = [
    .white, Image.Pixel(red: 230, green: 0, blue: 40), Image.Pixel(red: 255, green: 200, blue: 0),
    Image.Pixel(red: 190, green: 190, blue: 190), Image.Pixel(red: 255, green: 200, blue: 200),
  ]

  /// A quarter of the darkness of a pixel over white.
  private func faded(_ x: Int, _ y: Int) -> Image.Pixel {
    let offset = (y * reference.width + x) * 4
    let pixels = reference.pixels
    let light = (13 * Int(pixels[offset]) + 45 * Int(pixels[offset + 1]) + 6 * Int(pixels[offset + 2])) / 64
    let grey = UInt8(255 - (255 - light) * Int(pixels[offset + 3]) / 255 / 4)
    return Image.Pixel(red: grey, green: grey, blue: grey)
  }

  /// Draws a line around a region, with a pixel of air, over nothing that changed.
  private func frame(_ region: Image.Rect, _ bytes: UnsafeMutableBufferPointer<UInt8>, _ width: Int, _ height: Int) {
    let (left, top) = (region.x - 2, region.y - 2)
    let (right, bottom) = (region.x + region.width + 1, region.y + region.height + 1)
    func draw(_ x: Int, _ y: Int) {
      guard (0..<width).contains(x), (0..<height).contains(y) else { return }
      let isMarked = x < marks.width && y < marks.height && marks.marks[y * marks.width + x] != PixelMarks.Mark.same
      if !isMarked { Self.frameColor.store(in: bytes, at: (y * width + x) * 4) }
    }
    for x in left...right {
      draw(x, top)
      draw(x, bottom)
    }
    for y in top...bottom {
      draw(left, y)
      draw(right, y)
    }
  }
}
