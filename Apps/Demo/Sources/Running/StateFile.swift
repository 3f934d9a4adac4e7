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
    // Through links, so that what they lead to is replaced and not the link.
    url = URL(filePath: path).resolvingSymlinksInPath()
    self.warn = warn
  }

  /// A file that is there and not ours to replace.
  struct NotOurs: Error, CustomStringConvertible {
    let description: String

    init(_ url: URL, _ reason: String) {
      description = "\(url.path) \(reason). It was left as it is; give --state another file, or move this one away."
    }
  }

  /// What an earlier run has left for an app; `nil` when there is nothing yet.
  ///
  /// - Throws: ``NotOurs`` for a file that this app has not written.
  func read(for home: Home) throws(NotOurs) -> DemoState? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path) else { return nil }
    guard attributes[.type] as? FileAttributeType == .typeRegular else { throw NotOurs(url, "is not a plain file") }
    let data: Data
    do { data = try Data(contentsOf: url) } catch {
      throw NotOurs(url, "cannot be read: \(error.localizedDescription)")
    }
    guard !data.isEmpty else { return nil }
    guard let state = DemoState(reading: data, for: home) else { throw NotOurs(url, "is not a state of this command") }
    guard state.home == home else { throw NotOurs(url, "says where the other app was left: \(state.home.rawValue)") }
    for loss in state.losses { warn(loss) }
    return state
  }

  /// Keeps a state, all of it or nothing.
  func write(_ state: DemoState) {
    do {
      let data = try state.data()
      guard data != last else { return }
      // Who is logged in is nobody else's business, not for a moment: neither in what is written nor in what it replaces.
      let before = umask(0o077)
      defer { umask(before) }
      try data.write(to: url, options: .atomic)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
      last = data
    } catch {
      // Once: the next key would only say the same.
      if !hasWarned { warn("Cannot write \(url.path): \(error.localizedDescription). The state is not kept.") }
      hasWarned = true
    }
  }
}
