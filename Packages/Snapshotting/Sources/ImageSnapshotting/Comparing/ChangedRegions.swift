internal import Foundation

/// Returns rectangles around neighbouring changed pixels, in the descending order of their number.
///
/// The image is divided into tiles. Touching tiles with changed pixels are one region.
func changedRegions(_ marks: PixelMarks) -> [Image.Rect] {
  var grid = TileGrid(marks)
  var regions: [Tile] = []
  for index in grid.tiles.indices where grid.tiles[index].count > 0 { regions.append(grid.takeRegion(at: index)) }
  return regions.sorted { ($1.count, $0.top, $0.left) < ($0.count, $1.top, $1.left) }.map(\.rect)
}

private struct Tile {
  static let side = 16

  var count = 0
  var (left, top, right, bottom) = (Int.max, Int.max, -1, -1)

  var rect: Image.Rect { Image.Rect(x: left, y: top, width: right - left + 1, height: bottom - top + 1) }

  mutating func merge(_ other: Tile) {
    count += other.count
    (left, top) = (min(left, other.left), min(top, other.top))
    (right, bottom) = (max(right, other.right), max(bottom, other.bottom))
  }
}

private struct TileGrid {
  private let columns: Int
  private let rows: Int
  private(set) var tiles: [Tile]

  init(_ marks: PixelMarks) {
    columns = (marks.width + Tile.side - 1) / Tile.side
    rows = (marks.height + Tile.side - 1) / Tile.side
    tiles = [Tile](repeating: Tile(), count: columns * rows)
    marks.marks.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      for y in 0..<marks.height { add(start + y * marks.width, count: marks.width, y: y) }
    }
  }

  private mutating func add(_ row: UnsafePointer<UInt8>, count: Int, y: Int) {
    let changed = Int32(PixelMarks.Mark.changed)
    var x = 0
    while x < count, let next = memchr(row + x, changed, count &- x) {
      x = UnsafeRawPointer(row).distance(to: UnsafeRawPointer(next))
      let column = x / Tile.side
      let end = min((column &+ 1) &* Tile.side, count)
      var part = Tile()
      (part.left, part.top, part.bottom) = (x, y, y)
      while x < end {
        if row[x] == PixelMarks.Mark.changed {
          part.count &+= 1
          part.right = x
        }
        x &+= 1
      }
      tiles[y / Tile.side * columns + column].merge(part)
    }
  }

  mutating func takeRegion(at start: Int) -> Tile {
    var region = Tile()
    var waiting = [start]
    while let index = waiting.popLast() {
      guard tiles[index].count > 0 else { continue }
      region.merge(tiles[index])
      tiles[index] = Tile()
      let (column, row) = (index % columns, index / columns)
      for nextRow in max(row - 1, 0)...min(row + 1, rows - 1) {
        for nextColumn in max(column - 1, 0)...min(column + 1, columns - 1) {
          let next = nextRow * columns + nextColumn
          if tiles[next].count > 0 { waiting.append(next) }
        }
      }
    }
    return region
  }
}
