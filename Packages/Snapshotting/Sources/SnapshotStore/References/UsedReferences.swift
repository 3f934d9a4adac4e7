internal import Foundation

/// Lists the references that a run of tests uses, if the environment asks for it.
///
/// Each process appends the paths to a file of its own, in the folder of the variable `SNAPSHOT_USED_REFERENCES`. A zero byte
/// follows each path.
///
/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
package final class UsedReferences: @unchecked Sendable {
  package static let variable = "SNAPSHOT_USED_REFERENCES"

  static let shared = UsedReferences(folder: ProcessInfo.processInfo.environment[variable])

  private let lock = NSLock()
  private let folder: String?
  private var file: Int32 = -1
  private var noted: Set<[UInt8]> = []

  init(folder: String?) {
    self.folder = folder.flatMap { $0.isEmpty ? nil : $0 }
  }

  deinit { if file >= 0 { close(file) } }

  func note(_ path: String) {
    guard let folder else { return }
    lock.lock()
    defer { lock.unlock() }
    // Paths can contain line feeds, and no zero bytes.
    let bytes = Array(path.utf8) + [0]
    guard noted.insert(bytes).inserted else { return }
    if file < 0 { file = open("\(folder)/\(getpid())", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600) }
    _ = write(file, bytes, bytes.count)
  }
}
