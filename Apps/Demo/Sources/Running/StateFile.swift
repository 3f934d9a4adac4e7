internal import Coordinators
internal import Foundation

/// The file of `--state`: read at the start, written after each change, and locked by one run at a time.
@MainActor
final class StateFile {
  private let url: URL
  private let warn: (String) -> Void
  /// Called after each attempt to lock the file, for tests.
  private let didLock: () -> Void
  private var last: Data?
  private var hasWarned = false
  /// Whether the last state could not be written.
  private(set) var isBehind = false

  init(path: String, didLock: @escaping () -> Void = {}, warn: @escaping (String) -> Void) {
    // Resolved, so that a write replaces the target and not the symbolic link.
    url = Self.target(of: URL(filePath: path))
    self.didLock = didLock
    self.warn = warn
  }

  /// Returns the target of a symbolic link, even if the target does not exist.
  private static func target(of url: URL) -> URL {
    var url = url
    // The limit of the system.
    for _ in 0..<40 {
      url = url.resolvingSymlinksInPath()
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) else { break }
      url = URL(filePath: next, relativeTo: url.deletingLastPathComponent()).absoluteURL
    }
    return url
  }

  /// The open file.
  ///
  /// Its lock excludes other runs until the handle is closed.
  private var lock: FileHandle?

  struct InUse: Error, CustomStringConvertible {
    let description: String

    init(_ url: URL) {
      description =
        "Cannot use \(url.path) as the state file: another run uses it. End the other run, or use --state with another file."
    }
  }

  struct Unstable: Error, CustomStringConvertible {
    let description: String

    init(_ url: URL) {
      description =
        "Cannot lock \(url.path): another program replaces it again and again. End that program, or use --state with another file."
    }
  }

  struct NotOurs: Error, CustomStringConvertible {
    let description: String

    init(
      _ url: URL, _ reason: String,
      step: String = "The file is unchanged. Move it away, or use --state with another file."
    ) {
      description = "Cannot use \(url.path) as the state file: \(reason). \(step)"
    }
  }

  /// Locks the file and reads the state of an earlier run; `nil` if the file is empty or new.
  ///
  /// - Throws: ``NotOurs`` for a file that is not a state of this app, ``InUse`` while another run uses it, and ``Unstable``
  ///   for a file that another program replaces all the time.
  func read(for home: Home, at server: String? = nil) throws -> DemoState? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    if let attributes, attributes[.type] as? FileAttributeType != .typeRegular {
      throw NotOurs(url, "it is not a regular file", step: "Use --state with another file.")
    }
    // The temporary file's name is longer, and most file systems limit names to 255 bytes.
    guard url.lastPathComponent.utf8.count <= 250 else {
      throw NotOurs(url, "its name has more than 250 bytes", step: "Use --state with a shorter name.")
    }
    // Checked here, because a rename would replace a read-only file.
    var status = stat()
    if lstat(url.path, &status) == 0, status.st_mode & 0o200 == 0 {
      throw NotOurs(
        url, "its mode \(String(status.st_mode & 0o777, radix: 8)) does not allow writing",
        step: "The file is unchanged. Make it writable, or use --state with another file.")
    }
    try take()
    guard attributes != nil else { return nil }
    let data: Data
    do { data = try Data(contentsOf: url) } catch {
      throw NotOurs(
        url, "it cannot be read: \(Self.reason(error))",
        step: "Check its permissions, or use --state with another file.")
    }
    guard !data.isEmpty else { return nil }
    guard let state = DemoState(reading: data, for: home, at: server) else {
      throw NotOurs(url, "it is not a state file of this command")
    }
    guard state.home == home else { throw NotOurs(url, "it belongs to the other app, \(state.home.rawValue)") }
    guard !state.isFromNewerVersion else { throw NotOurs(url, "a newer version of this command wrote it") }
    // A damaged file can have a loss in each of a million lines.
    let shown = state.losses.prefix(20)
    for loss in shown { warn("Warning: \(loss)") }
    if state.losses.count > shown.count {
      warn("Warning: Dropped \(state.losses.count - shown.count) more parts of \(url.path).")
    }
    return state
  }

  /// Locks the file for this run; creates an empty file if none exists.
  ///
  /// Every write replaces the file. So the loop compares the locked file with the file of that name, and tries again if
  /// they differ, up to a limit. If the file cannot be created or locked, the method returns without a lock, and `write`
  /// reports the error.
  private func take() throws {
    for _ in 0..<Self.mostAttempts {
      var descriptor = open(url.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
      if descriptor < 0 { descriptor = open(url.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) }
      guard descriptor >= 0 else { return }
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        if errno == EWOULDBLOCK { throw InUse(url) }
        return
      }
      didLock()
      var (opened, named) = (stat(), stat())
      if fstat(descriptor, &opened) == 0, lstat(url.path, &named) == 0, Self.isSameFile(opened, named) {
        lock = file
        return
      }
    }
    throw Unstable(url)
  }

  /// The maximum number of attempts to lock the file.
  nonisolated static let mostAttempts = 100

  /// Whether both are the status of one file: an inode number is unique only within its device.
  nonisolated static func isSameFile(_ left: stat, _ right: stat) -> Bool {
    left.st_ino == right.st_ino && left.st_dev == right.st_dev
  }

  /// Saves a state atomically, and reports the first failure.
  func write(_ state: DemoState) {
    do {
      let data = try state.data()
      guard data != last || isBehind else { return }
      try replace(with: data)
      (last, isBehind) = (data, false)
    } catch {
      isBehind = true
      // Reported once, because every key writes the state again.
      if !hasWarned {
        warn(
          "Error: Cannot write \(url.path): \(Self.reason(error)). The state is not saved. Use --state with another file."
        )
      }
      hasWarned = true
    }
  }

  /// Writes a temporary file beside the state file and renames it.
  ///
  /// The temporary file has a fixed name: a killed run leaves at most one, and the next run removes it. Its mode 600 keeps
  /// the session token private.
  private func replace(with data: Data) throws {
    let new = url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).new").path
    unlink(new)
    let file = try OutputFile.replace(url.path, with: data, through: new, mode: 0o600) { file in
      // Locked before the rename, so that the name always leads to a locked file.
      lock == nil || flock(file, LOCK_EX | LOCK_NB) == 0
    }
    if lock != nil { lock = file }
  }

  /// The reason of an error without a full stop, for use inside a sentence.
  private static func reason(_ error: any Error) -> String {
    let words = (error as? OutputFile.Failure)?.reason ?? error.localizedDescription
    return words.hasSuffix(".") ? String(words.dropLast()) : words
  }
}
