internal import Coordinators
internal import Foundation

/// The file of `--state`: read at the start, written whenever something has changed.
@MainActor
final class StateFile {
  private let url: URL
  private let warn: (String) -> Void
  private var last: Data?
  private var hasWarned = false
  /// Whether the last state could not be written, so that the next run will not go on there.
  private(set) var isBehind = false

  init(path: String, warn: @escaping (String) -> Void) {
    // Through links, so that what they lead to is replaced and not the link.
    url = URL(filePath: path).resolvingSymlinksInPath()
    self.warn = warn
  }

  /// What the system answers to something that it did not do.
  private struct SystemError: Error, CustomStringConvertible {
    let number: Int32

    var description: String { String(cString: strerror(number)) }
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
      guard data != last || isBehind else { return }
      try replace(with: data)
      (last, isBehind) = (data, false)
    } catch {
      isBehind = true
      // Once: the next key would only say the same.
      if !hasWarned { warn("Cannot write \(url.path): \(Self.reason(error)). The state is not kept.") }
      hasWarned = true
    }
  }

  /// Writes beside the file and puts that in its place: always under the same name, so that a run which is killed leaves no
  /// more than one such file, which the next one takes away.
  ///
  /// Who is logged in is nobody else's business, not for a moment: neither in what is written nor in what it replaces.
  private func replace(with data: Data) throws {
    let new = url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).new").path
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError(number: errno) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try file.write(contentsOf: data)
      try file.close()
      guard rename(new, url.path) == 0 else { throw SystemError(number: errno) }
    } catch {
      unlink(new)
      throw error
    }
  }

  /// What the system says, as a part of a sentence.
  private static func reason(_ error: any Error) -> String {
    let words = (error as? SystemError)?.description ?? error.localizedDescription
    return words.hasSuffix(".") ? String(words.dropLast()) : words
  }
}
