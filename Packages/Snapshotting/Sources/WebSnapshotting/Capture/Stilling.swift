internal import Foundation
internal import ImageSnapshotting

/// What a frame says about itself when it is ready for its picture; see ``Scripts/preparing``.
struct FrameReport {
  /// A rectangle in pixels of CSS.
  struct Box: Hashable {
    var x, y, width, height: Double
  }

  /// How many elements its scripts can find.
  let elements: Int
  /// Whether it has elements that move in a tree of their own.
  let hasInside: Bool
  /// What the picture is of: in the main frame in the page's coordinates, in others in those of the frame's window.
  let area: Box?
  /// Why there is no such rectangle, though the frame has the element.
  let missing: String?
  /// What is to be covered, in coordinates of the frame's window.
  let masks: [Box]
  /// How far the frame is scrolled, and the size of its window.
  let window: Box

  init(_ json: JSONValue) {
    elements = json["elements"]?.integer ?? 0
    hasInside = json["hasInside"]?.bool ?? false
    area = json["area"].flatMap(Box.init)
    missing = json["area"]?["missing"]?.string
    masks = json["masks"]?.array?.compactMap(Box.init) ?? []
    window = json["window"].flatMap(Box.init) ?? Box(x: 0, y: 0, width: 1, height: 1)
  }
}

extension FrameReport.Box {
  init?(_ json: JSONValue) {
    guard let x = json["x"]?.number, let y = json["y"]?.number, let width = json["width"]?.number,
      let height = json["height"]?.number
    else { return nil }
    self.init(x: x, y: y, width: width, height: height)
  }

  /// The rectangle of whole pixels that the browser draws it in.
  var snapped: FrameReport.Box {
    let (left, top) = (x.rounded(), y.rounded())
    return FrameReport.Box(
      x: left, y: top, width: max((x + width).rounded() - left, min(width.rounded(.up), 1)),
      height: max((y + height).rounded() - top, min(height.rounded(.up), 1)))
  }

  /// The smallest rectangle of whole pixels around it.
  var rounded: FrameReport.Box {
    // A pixel's thousandth is what is left of the arithmetic of zoomed pages.
    let (left, top) = ((x + 0.001).rounded(.down), (y + 0.001).rounded(.down))
    return FrameReport.Box(
      x: left, y: top, width: (x + width - 0.001).rounded(.up) - left, height: (y + height - 0.001).rounded(.up) - top)
  }

  func moved(_ x: Double, _ y: Double) -> FrameReport.Box {
    FrameReport.Box(x: self.x + x, y: self.y + y, width: width, height: height)
  }

  func intersection(_ other: FrameReport.Box) -> FrameReport.Box {
    let (left, top) = (max(x, other.x), max(y, other.y))
    return FrameReport.Box(
      x: left, y: top, width: max(0, min(x + width, other.x + other.width) - left),
      height: max(0, min(y + height, other.y + other.height) - top))
  }

  /// The pixels of a picture that it covers.
  ///
  /// - Parameter scale: How many pixels a pixel of CSS has in each direction.
  func pixels(_ scale: Double) -> Image.Rect {
    let box = FrameReport.Box(x: x * scale, y: y * scale, width: width * scale, height: height * scale).rounded
    let number = { (value: Double) in Int(min(max(value, -1e9), 1e9)) }
    return Image.Rect(x: number(box.x), y: number(box.y), width: number(box.width), height: number(box.height))
  }
}

/// Where a frame is in the window of the page: the corners of what it shows, from the top left, clockwise.
struct FrameQuad {
  private let corners: [(x: Double, y: Double)]

  init?(_ numbers: [Double]) {
    guard numbers.count == 8 else { return nil }
    corners = stride(from: 0, to: 8, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
  }

  /// A rectangle of the frame in the window of the page, as far as the frame shows it.
  ///
  /// - Parameters:
  ///   - box: The rectangle, in coordinates of the frame's window.
  ///   - window: The size of the frame's window.
  func place(_ box: FrameReport.Box, of window: FrameReport.Box) -> FrameReport.Box {
    let part = box.intersection(FrameReport.Box(x: 0, y: 0, width: window.width, height: window.height))
    let points = [
      (part.x, part.y), (part.x + part.width, part.y), (part.x + part.width, part.y + part.height),
      (part.x, part.y + part.height),
    ].map { x, y -> (x: Double, y: Double) in
      let (right, down) = (x / max(window.width, 1), y / max(window.height, 1))
      return (
        corners[0].x + (corners[1].x - corners[0].x) * right + (corners[3].x - corners[0].x) * down,
        corners[0].y + (corners[1].y - corners[0].y) * right + (corners[3].y - corners[0].y) * down
      )
    }
    let (xs, ys) = (points.map(\.x), points.map(\.y))
    let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
    return FrameReport.Box(x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
  }
}
