internal import ImageSnapshotting

/// A rectangle in CSS pixels.
struct Box: Hashable {
  var x, y, width, height: Double

  init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  init?(_ json: JSONValue) {
    guard let x = json["x"]?.number, let y = json["y"]?.number, let width = json["width"]?.number,
      let height = json["height"]?.number
    else { return nil }
    self.init(x: x, y: y, width: width, height: height)
  }

  /// The whole pixels that the browser draws the rectangle in.
  var snapped: Box {
    let (left, top) = (x.rounded(), y.rounded())
    return Box(
      x: left, y: top, width: max((x + width).rounded() - left, min(width.rounded(.up), 1)),
      height: max((y + height).rounded() - top, min(height.rounded(.up), 1)))
  }

  func moved(_ x: Double, _ y: Double) -> Box {
    Box(x: self.x + x, y: self.y + y, width: width, height: height)
  }

  /// The pixels of an image that the rectangle touches.
  ///
  /// - Parameter scale: The number of pixels in a CSS pixel in each direction.
  func pixels(_ scale: Double) -> Image.Rect {
    // The arithmetic of zoomed pages leaves errors below a thousandth of a pixel.
    let number = { (value: Double) in Int(min(max(value, -1e9), 1e9)) }
    let (left, top) = ((x * scale + 0.001).rounded(.down), (y * scale + 0.001).rounded(.down))
    let (right, bottom) = (((x + width) * scale - 0.001).rounded(.up), ((y + height) * scale - 0.001).rounded(.up))
    return Image.Rect(x: number(left), y: number(top), width: number(right - left), height: number(bottom - top))
  }
}

/// The report of a frame that is ready for its image; see ``Scripts/preparing``.
struct FrameReport {
  /// The number of elements that scripts can find.
  let elements: Int
  /// Whether the frame has elements that play in a shadow tree of the browser.
  let hasBrowserTrees: Bool
  /// The area of the image, in coordinates of the page in the main frame, and of the frame's window in others.
  let area: Box?
  let missing: String?
  /// The covered rectangles, in coordinates of the frame's window.
  let masks: [Box]
  let window: Box

  init(_ json: JSONValue) {
    elements = json["elements"]?.integer ?? 0
    hasBrowserTrees = json["hasBrowserTrees"]?.bool ?? false
    area = json["area"].flatMap(Box.init)
    missing = json["area"]?["missing"]?.string
    masks = json["masks"]?.array?.compactMap(Box.init) ?? []
    window = json["window"].flatMap(Box.init) ?? Box(x: 0, y: 0, width: 1, height: 1)
  }
}

/// The corners of a frame's window in the window of the page, clockwise from the top left.
struct FrameQuad {
  private let corners: [(x: Double, y: Double)]

  init?(_ numbers: [Double]) {
    guard numbers.count == 8 else { return nil }
    corners = stride(from: 0, to: 8, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
  }

  /// Maps a rectangle of a frame, clipped by the frame's window, to the window of the page.
  func map(_ box: Box, of window: Box) -> Box {
    let share = { (value: Double, side: Double) in min(max(value / max(side, 1), 0), 1) }
    let points = [box.x, box.x + box.width].flatMap { x in
      [box.y, box.y + box.height].map { y -> (x: Double, y: Double) in
        let (right, down) = (share(x, window.width), share(y, window.height))
        return (
          corners[0].x + (corners[1].x - corners[0].x) * right + (corners[3].x - corners[0].x) * down,
          corners[0].y + (corners[1].y - corners[0].y) * right + (corners[3].y - corners[0].y) * down
        )
      }
    }
    let (xs, ys) = (points.map(\.x), points.map(\.y))
    let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
    return Box(x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
  }
}
