internal import Coordinators
internal import Foundation

/// The file of `--state`: read at the start, written whenever something has changed.
@MainActor
final class StateFile {
  private let url: URL
  private let warn: (String) -> Void
  private var last: Data?
  private var hasWarned = false

  init(path: String, warn: @escaping (String) -> Void) {
    url = URL(filePath: path)
    self.warn = warn
  }

  /// What an earlier run has left for an app.
  func read(for home: Home) -> DemoState? {
    guard let data = try? Data(contentsOf: url) else { return nil }
    guard let state = DemoState(reading: data, for: home) else {
      warn("\(url.path) is not a state of this command. It is started anew, and the file is replaced.")
      return nil
    }
    for loss in state.losses { warn(loss) }
    return state
  }

  /// Keeps a state, all of it or nothing.
  func write(_ state: DemoState) {
    do {
      let data = try state.data()
      guard data != last else { return }
      try data.write(to: url, options: .atomic)
      last = data
    } catch {
      // Once: the next key would only say the same.
      if !hasWarned { warn("Cannot write \(url.path): \(error.localizedDescription). The state is not kept.") }
      hasWarned = true
    }
  }
}
