internal import Coordinators
internal import Foundation

/// The state that a run saves for the next run with the same file.
struct SavedState: Codable {
  var home: Home
  /// The server of the session; `nil` for the embedded server.
  var server: String?
  var session: Session?
  /// The screens, in the format of `archived()`.
  var screens: String
}

/// The file of `--state`: read at the start, and written after each change of the screens.
@MainActor
final class StateFile {
  private let file: URL
  private let home: Home
  private let server: String?
  /// The session and the screens of an earlier run, if any.
  private(set) var session: Session?
  private(set) var navigation: Navigation<DemoScreen>?
  /// Whether writing has stopped, because the file has other content or cannot be written.
  private(set) var hasFailed = false

  /// Reads the state of an earlier run.
  ///
  /// A file that cannot be read completely is reported and never replaced.
  init(_ path: String, home: Home, server: String?) {
    file = URL(filePath: path)
    self.home = home
    self.server = server
    // Only the owner may read the token of the session.
    umask(0o077)
    if FileManager.default.fileExists(atPath: path) { read() }
  }

  private func read() {
    do {
      let state = try JSONDecoder().decode(SavedState.self, from: Data(contentsOf: file))
      guard state.home == home else { return refuse("It belongs to 'demo \(state.home.rawValue)'.") }
      guard state.server == server else { return refuse("It belongs to \(state.server ?? "the embedded server").") }
      let restoration = Restoration<DemoScreen>(archive: Data(state.screens.utf8))
      guard let navigation = restoration.navigation, restoration.losses.isEmpty else {
        return refuse(restoration.losses.first?.description ?? "It has no screens.")
      }
      (session, self.navigation) = (state.session, navigation)
    } catch {
      refuse("It is damaged, or it is not a state file.")
    }
  }

  private func refuse(_ reason: String) {
    hasFailed = true
    Output().warn(
      "Warning: Cannot restore \(file.path): \(reason) The app starts from the beginning, and saves nothing. "
        + "Move the file away, or use --state with another file.")
  }

  /// Replaces the file, and reports the first failure.
  func write(_ session: Session?, _ navigation: Navigation<DemoScreen>) {
    guard !hasFailed else { return }
    do {
      let screens = String(decoding: try navigation.archived(), as: UTF8.self)
      let state = try JSONEncoder().encode(
        SavedState(home: home, server: server, session: session, screens: screens))
      try state.write(to: file, options: .atomic)
    } catch {
      hasFailed = true
      Output().warn("Error: Cannot write \(file.path): \(error.localizedDescription) Use --state with another file.")
    }
  }
}
