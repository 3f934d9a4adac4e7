// A client of `Snapshotting`: constants with strategies that are derived from other strategies.

import Parallel
import Snapshotting

/// A value that is not `Sendable`.
final class Draft {
  var text = ""
}

@MainActor
final class Screen {
  var title = ""

  func strategy() -> Snapshotting<Screen, String> { SimplySnapshotting.lines.pullback { $0.title } }
}

extension Snapshotting where Value == Draft, Format == String {
  static let text = Snapshotting<String, String>.lines.pullback { (draft: Draft) in draft.text }
}

func slowly() -> Snapshotting<Draft, String> {
  SimplySnapshotting.lines.asyncPullback { (draft: Draft) in
    let text = draft.text
    return Parallel { callback in callback(text) }
  }
}
