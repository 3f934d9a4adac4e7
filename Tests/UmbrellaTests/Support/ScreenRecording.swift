import Boundaries
import Terminal
import TerminalSnapshotting

/// A series of screens, each with the action that led to it.
struct Film {
  private(set) var pictures: [(cause: String, screen: Screen)] = []

  mutating func take(_ cause: String, _ screen: Screen) { pictures.append((cause, screen)) }
}

extension Snapshotting where Value == Film, Format == String {
  /// Shows each screen as text below its action.
  static var film: Snapshotting {
    SimplySnapshotting.lines.asyncPullback { film in
      film.pictures.map { picture in
        Snapshotting<Screen, String>.text.snapshot(picture.screen).map { "── \(picture.cause)\n\($0)" }
      }.sequence().map { $0.joined(separator: "\n") }
    }
  }
}
