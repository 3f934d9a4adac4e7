internal import Foundation

extension ImageDifference {
  /// The faded reference with marks: changed pixels in red, regions in blue frames, ignored antialiasing in yellow, masks in grey, and the
  /// area of only one image in light red.
  ///
  /// The size is the maximum of both sizes.
  public var image: Image {
    let width = max(reference.width, new.width)
    let height = max(reference.height, new.height)
    let pixels = makePixels(width * height) { bytes in
      let target = UnsafeMutableRawBufferPointer(bytes)
      paint(target, width, height)
      for region in regions { frame(region, target, width, height) }
    }
    return Image(trusted: width, height, pixels, scale: new.scale)
  }

  /// The reference, ``image`` and the new image in one picture, beside each other; wide images stand below each other.
  ///
  /// Two images that are too large for that give ``image``.
  public var sideBySide: Image {
    let panels = [reference, image, new]
    let (width, height) = (panels[1].width, panels[1].height)
    let isWide = width > 2 * height
    let gap = 8
    let (columns, rows) = isWide ? (width, 3 * height + 2 * gap) : (3 * width + 2 * gap, height)
    guard
      var canvas = Image(
        width: columns, height: rows, filledWith: Image.Pixel(red: 160, green: 160, blue: 160), scale: new.scale)?
        .pixels
    else { return panels[1] }
    for (index, panel) in panels.enumerated() {
      let (x, y) = isWide ? (0, index * (height + gap)) : (index * (width + gap), 0)
      for row in 0..<panel.height {
        let (from, to) = (row * panel.width * 4, ((y + row) * columns + x) * 4)
        canvas.replaceSubrange(to..<to + panel.width * 4, with: panel.pixels[from..<from + panel.width * 4])
      }
    }
    return Image(trusted: columns, rows, canvas, scale: new.scale)
  }

  /// The colours by mark, and after them that of the area of only one image.
  private static let colors: [UInt32] = [0xFFFF_FFFF, 0xFF28_00E6, 0xFF00_C8FF, 0xFFBE_BEBE, 0xFFC8_C8FF]
  private static let frameColor: UInt32 = 0xFFFF_6000

  private func paint(_ target: UnsafeMutableRawBufferPointer, _ width: Int, _ height: Int) {
    let (common, rows, colors) = (marks.width, marks.height, Self.colors)
    reference.pixels.withUnsafeBytes { source in
      marks.marks.withUnsafeBufferPointer { marks in
        var place = 0
        for y in 0..<height {
          var x = 0
          while x < width {
            let isCommon = x < common && y < rows
            let mark = isCommon ? Int(marks[y &* common &+ x]) : 4
            var color = colors[mark]
            if mark == 0 {
              let offset = (y &* reference.width &+ x) &* 4
              color = faded(UInt32(littleEndian: source.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            }
            target.storeBytes(of: color.littleEndian, toByteOffset: place, as: UInt32.self)
            place &+= 4
            x &+= 1
          }
        }
      }
    }
  }

  private func faded(_ pixel: UInt32) -> UInt32 {
    let light = (13 &* (pixel & 0xFF) &+ 45 &* (pixel &>> 8 & 0xFF) &+ 6 &* (pixel &>> 16 & 0xFF)) &>> 6
    let grey = 255 &- (255 &- light) &* (pixel &>> 24) / 1_020
    return 0xFF00_0000 | grey &* 0x1_0101
  }

  private func frame(_ region: Image.Rect, _ target: UnsafeMutableRawBufferPointer, _ width: Int, _ height: Int) {
    let (left, top) = (region.x - 2, region.y - 2)
    let (right, bottom) = (region.x + region.width + 1, region.y + region.height + 1)
    func draw(_ x: Int, _ y: Int) {
      guard (0..<width).contains(x), (0..<height).contains(y) else { return }
      let isMarked = x < marks.width && y < marks.height && marks.marks[y * marks.width + x] != PixelMarks.same
      guard !isMarked else { return }
      target.storeBytes(of: Self.frameColor.littleEndian, toByteOffset: (y * width + x) * 4, as: UInt32.self)
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
