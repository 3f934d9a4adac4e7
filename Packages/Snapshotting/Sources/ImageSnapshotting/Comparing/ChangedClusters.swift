/// Where the changed pixels are: rectangles around those that are near each other.
///
/// Found on a grid of tiles, so that it takes one look at each pixel and memory by the number of tiles: tiles that have a
/// changed pixel and touch are one cluster.
struct ChangedClusters {
  private(set) var count = 0
  private(set) var regions: [Image.Rect] = []

  private static let side = 16

  private struct Tile {
    var count = 0
    var (left, top, right, bottom) = (Int.max, Int.max, -1, -1)

    mutating func add(_ x: Int, _ y: Int) {
      count += 1
      (left, top, right, bottom) = (min(left, x), min(top, y), max(right, x), max(bottom, y))
    }

    mutating func merge(_ other: Tile) {
      count += other.count
      (left, top) = (min(left, other.left), min(top, other.top))
      (right, bottom) = (max(right, other.right), max(bottom, other.bottom))
    }
  }

  init(_ marks: PixelMarks) {
    let columns = (marks.width + Self.side - 1) / Self.side
    let rows = (marks.height + Self.side - 1) / Self.side
    var tiles = [Tile](repeating: Tile(), count: columns * rows)
    marks.marks.withUnsafeBufferPointer { bytes in
      for y in 0..<marks.height {
        for x in 0..<marks.width where bytes[y * marks.width + x] == PixelMarks.Mark.changed {
          tiles[y / Self.side * columns + x / Self.side].add(x, y)
        }
      }
    }
    var clusters: [Tile] = []
    for index in tiles.indices where tiles[index].count > 0 {
      clusters.append(Self.takeCluster(from: index, &tiles, columns, rows))
    }
    count = clusters.reduce(0) { $0 + $1.count }
    regions = clusters.sorted { ($1.count, $0.top, $0.left) < ($0.count, $1.top, $1.left) }.map { cluster in
      Image.Rect(
        x: cluster.left, y: cluster.top, width: cluster.right - cluster.left + 1,
        height: cluster.bottom - cluster.top + 1)
    }
  }

  /// Takes a tile and all that touch it, and those that touch them.
  private static func takeCluster(from start: Int, _ tiles: inout [Tile], _ columns: Int, _ rows: Int) -> Tile {
    var cluster = Tile()
    var waiting = [start]
    while let index = waiting.popLast() {
      guard tiles[index].count > 0 else { continue }
      cluster.merge(tiles[index])
      tiles[index] = Tile()
      let (column, row) = (index % columns, index / columns)
      for nextRow in max(row - 1, 0)...min(row + 1, rows - 1) {
        for nextColumn in max(column - 1, 0)...min(column + 1, columns - 1) {
          let next = nextRow * columns + nextColumn
          if tiles[next].count > 0 { waiting.append(next) }
        }
      }
    }
    return cluster
  }
}
