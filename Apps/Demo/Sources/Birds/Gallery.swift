internal import Terminal

/// The pictures side by side with their names, as many in a row as fit.
enum Gallery {
  static let columns = 30
  static let rows = 11
  private static let gap = 2

  /// Returns the gallery for a terminal of the given width; empty if not even one picture fits.
  static func text(_ birds: [LoadedBird], columns available: Int, color: ColorCapability) -> String {
    guard available >= columns else { return "" }
    let perRow = (available + gap) / (columns + gap)
    // Each row is a screen, because the size of a screen is limited.
    return stride(from: 0, to: birds.count, by: perRow)
      .map { first in row(birds[first..<min(first + perRow, birds.count)]).styledText(color: color) }
      .joined(separator: "\n\n")
  }

  private static func row(_ birds: ArraySlice<LoadedBird>) -> Screen {
    var screen = Screen(columns: birds.count * (columns + gap) - gap, rows: rows + 1)
    for (place, loaded) in birds.enumerated() {
      let left = place * (columns + gap)
      screen.blit(loaded.thumbnail, at: Position(column: left, row: 0))
      screen.write(
        loaded.bird.name.truncated(toColumns: columns), at: Position(column: left, row: rows), style: .bold)
    }
    return screen
  }
}
