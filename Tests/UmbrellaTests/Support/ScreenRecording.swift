import Boundaries
import Terminal
import TerminalSnapshotting

/// A series of screens, each with the action that led to it.
struct ScreenRecording {
  private(set) var frames: [(action: String, screen: Screen)] = []

  mutating func add(_ action: String, _ screen: Screen) { frames.append((action, screen)) }
}

extension Snapshotting where Value == ScreenRecording, Format == String {
  /// Shows each screen as text below its action.
  static var recording: Snapshotting {
    SimplySnapshotting.lines.asyncPullback { recording in
      recording.frames.map { frame in
        Snapshotting<Screen, String>.text.snapshot(frame.screen).map { "── \(frame.action)\n\($0)" }
      }.sequence().map { $0.joined(separator: "\n") }
    }
  }
}
