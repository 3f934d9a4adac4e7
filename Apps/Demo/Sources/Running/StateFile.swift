internal import Coordinators
internal import Foundation

/// The file of `--state`: read at the start, written whenever something has changed, and one run's at a time.
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
    url = Self.target(of: URL(filePath: path))
    self.warn = warn
  }

  /// What a link leads to, whether it is there or not.
  private static func target(of url: URL) -> URL {
    var url = url
    // As many as the system follows.
    for _ in 0..<40 {
      url = url.resolvingSymlinksInPath()
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) else { break }
      url = URL(filePath: next, relativeTo: url.deletingLastPathComponent()).absoluteURL
    }
    return url
  }

  /// The file as it is now, open and locked: for as long as this lives no other run has it.
  private var lock: FileHandle?

  /// What the system answers to something that it did not do.
  private struct SystemError: Error, CustomStringConvertible {
    let number: Int32

    var description: String { String(cString: strerror(number)) }
  }

  /// Another run has the file.
  struct InUse: Error, CustomStringConvertible {
    let description: String

    init(_ url: URL) {
      description = "Another run keeps its state in \(url.path). End that one, or give --state another file."
    }
  }

  /// A file that is there and not ours to replace.
  struct NotOurs: Error, CustomStringConvertible {
    let description: String

    init(_ url: URL, _ reason: String) {
      description = "\(url.path) \(reason). It was left as it is; give --state another file, or move this one away."
    }
  }

  /// What an earlier run has left for an app, with the log-in if it is one at the server; `nil` when there is nothing yet.
  ///
  /// - Throws: ``NotOurs`` for a file that this app has not written, ``InUse`` while another run has it.
  func read(for home: Home, at server: String? = nil) throws -> DemoState? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    if let attributes, attributes[.type] as? FileAttributeType != .typeRegular {
      throw NotOurs(url, "is not a plain file")
    }
    // Another file would take its place, so the system would not mind.
    var status = stat()
    if lstat(url.path, &status) == 0, status.st_mode & 0o200 == 0 {
      throw NotOurs(url, "is not to be written, by its mode \(String(status.st_mode & 0o777, radix: 8))")
    }
    try take()
    guard attributes != nil else { return nil }
    let data: Data
    do { data = try Data(contentsOf: url) } catch {
      throw NotOurs(url, "cannot be read: \(error.localizedDescription)")
    }
    guard !data.isEmpty else { return nil }
    guard let state = DemoState(reading: data, for: home, at: server) else {
      throw NotOurs(url, "is not a state of this command")
    }
    guard state.home == home else { throw NotOurs(url, "says where the other app was left: \(state.home.rawValue)") }
    for loss in state.losses { warn("Warning: \(loss)") }
    return state
  }

  /// Takes the file for this run; makes an empty one, so that there is something to take.
  ///
  /// Each state is a new file under the name, so the one that was opened may not be the one that is there by the time it is
  /// locked. Where there can be no file, or no locks, nothing is taken: writing will say what is wrong.
  private func take() throws(InUse) {
    while true {
      var descriptor = open(url.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
      if descriptor < 0 { descriptor = open(url.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) }
      guard descriptor >= 0 else { return }
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        if errno == EWOULDBLOCK { throw InUse(url) }
        return
      }
      var (opened, named) = (stat(), stat())
      if fstat(descriptor, &opened) == 0, lstat(url.path, &named) == 0, opened.st_ino == named.st_ino {
        lock = file
        return
      }
    }
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
      if !hasWarned {
        warn(
          "Error: Cannot write \(url.path): \(Self.reason(error)). The state is not kept. Give --state another file.")
      }
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
      // A name may outlive a crash that its bytes do not: then there would be neither the old state nor the new one.
      guard fsync(descriptor) == 0 else { throw SystemError(number: errno) }
      // Before it has the name, and held on: the name leads to a locked file at any time.
      if lock != nil, flock(descriptor, LOCK_EX | LOCK_NB) != 0 { throw SystemError(number: errno) }
      guard rename(new, url.path) == 0 else { throw SystemError(number: errno) }
      if lock != nil { lock = file }
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
