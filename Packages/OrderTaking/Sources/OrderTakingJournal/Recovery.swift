internal import Foundation
internal import OrderTaking

/// Replaces a damaged file with a new file, which contains all readable records.
///
/// The process can end between the steps without a loss. The new file is created under another name, and renamed when
/// it is complete. Then the damaged file and its log are moved aside, and the new file is renamed again. The next
/// opening finishes a recovery whose new file is complete.
struct Recovery {
  private let path: String
  private let schema: Schema
  private let files = FileManager.default

  init(of path: String, _ schema: Schema) {
    self.path = path
    self.schema = schema
  }

  private var incompleteFile: String { path + ".salvaged-in-part" }
  private var newFile: String { path + ".salvaged" }

  /// Recovers a file.
  ///
  /// - Throws: An error of kind `foreign` if the file does not look like a journal. Then nothing is changed.
  func run(_ damage: String, isCounted: Bool) throws(JournalError) -> JournalRecovery {
    do {
      let exists = files.fileExists(atPath: path)
      let bytes = exists ? [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) : []
      let salvage = Salvage(of: bytes, with: WriteAheadLog(at: path + "-wal"))
      guard isOwn(bytes) || !salvage.rows.isEmpty else { throw foreign(path, "not a journal") }
      let damagedFile = freeAside
      let report = JournalRecovery(
        salvaged: salvage.rows.count,
        lost: isCounted ? salvage.count.map { max($0 - salvage.rows.count, salvage.lostOrders.count) } : nil,
        lostOrders: salvage.lostOrders, damagedFile: exists ? damagedFile : damagedFile + "-wal", damage: damage
      ).adding(salvage.loss ?? (salvage.hasLoss ? .unreadable(at: path) : nil))
      try removeFiles(newFile)
      try removeFiles(incompleteFile)
      try create(incompleteFile, with: salvage, report)
      try files.moveItem(atPath: incompleteFile, toPath: newFile)
      if exists { try files.moveItem(atPath: path, toPath: damagedFile) }
      try moveLog(to: damagedFile)
      try files.moveItem(atPath: newFile, toPath: path)
      return report
    } catch {
      // The user may move the damaged file away, and must not find a new file without its records.
      try? removeFiles(incompleteFile)
      if files.fileExists(atPath: path) { try? removeFiles(newFile) }
      if let error = error as? JournalError { throw error }
      if let refusal = error as? Database.Refusal { throw journalError(refusal, "salvage", path) }
      throw JournalError(
        .storage,
        "Cannot salvage the damaged journal \(path) (\(damage)): \(reason(error)). Check the free space and the "
          + "permissions of its folder, or move the file away.")
    }
  }

  func finishInterrupted() throws(JournalError) {
    try? removeFiles(incompleteFile)
    guard files.fileExists(atPath: newFile) else { return }
    do {
      // Then the damaged file was not moved, and is recovered again.
      if files.fileExists(atPath: path) { return try removeFiles(newFile) }
      // The log of the damaged file may not have been moved. It must not be applied to the new file.
      try moveLog(to: asides.last ?? freeAside)
      try files.moveItem(atPath: newFile, toPath: path)
    } catch {
      throw JournalError(
        .storage,
        "Cannot finish salvaging the journal \(path): \(reason(error)). Move \(path)-wal away if it exists, then move "
          + "\(newFile) to \(path).")
    }
  }

  private func isOwn(_ bytes: [UInt8]) -> Bool {
    // A power failure can leave zeros, or the beginning of a first page.
    if bytes.allSatisfy({ $0 == 0 }) || bytes.count < Page.size && Page.magic.starts(with: bytes.prefix(16)) {
      return true
    }
    let declarations = ["order_id TEXT NOT NULL UNIQUE", "takings INTEGER NOT NULL"].map { Data($0.utf8) }
    // A text with these words contains no zeros.
    return bytes.contains(0) && declarations.contains { Data(bytes).range(of: $0) != nil }
  }

  private func create(_ file: String, with salvage: Salvage, _ report: JournalRecovery) throws {
    let database = try Database(at: file)
    try JournalStorage.upgrade(database, from: 0, to: schema)
    let storage = try JournalStorage(database, at: file)
    try storage.write { storage in
      for row in salvage.rows { try storage.write(row.values) }
      if let server = salvage.origin { try storage.set(.origin, to: server) }
      if report.lost != 0 { try storage.setLoss(report) }
    }
  }

  private func moveLog(to aside: String) throws {
    for suffix in Self.logs where files.fileExists(atPath: path + suffix) {
      try files.moveItem(atPath: path + suffix, toPath: aside + suffix)
    }
  }

  private var freeAside: String { aside(asides.count + 1) }

  private var asides: [String] {
    Array(
      (1...).lazy.map(aside).prefix { aside in ([""] + Self.logs).contains { files.fileExists(atPath: aside + $0) } })
  }

  private func aside(_ number: Int) -> String { "\(path).damaged-\(number)" }

  private static let logs = ["-wal", "-shm"]

  private func removeFiles(_ file: String) throws {
    for suffix in ["", "-wal", "-shm", "-journal"] where files.fileExists(atPath: file + suffix) {
      try files.removeItem(atPath: file + suffix)
    }
  }

  private func reason(_ error: any Error) -> String {
    let words = error.localizedDescription
    return words.hasSuffix(".") ? String(words.dropLast()) : words
  }
}
