internal import Foundation
internal import OrderTaking

/// Makes a new file of what can be read of a damaged one.
///
/// In this order, so that a process that dies on the way loses nothing: the new file is made under another name and gets a
/// second one when it is whole, the damaged one is put aside with its log, the new one takes its place. A whole new file without
/// a place is found at the next opening.
struct Recovery {
  private let path: String
  private let schema: Schema
  private let files = FileManager.default

  init(of path: String, _ schema: Schema) {
    self.path = path
    self.schema = schema
  }

  private var unfinished: String { path + ".salvaged-in-part" }
  private var newFile: String { path + ".salvaged" }
  private var copy: String { path + ".salvaging" }

  /// Recovers a file.
  ///
  /// - Parameters:
  ///   - damage: What is wrong with it.
  ///   - database: What has it open, to be closed when the new file is there.
  ///   - isCounted: Whether what the file says about the number of its records is to be believed.
  /// - Throws: An error of kind `foreign` when nothing shows that it was a journal; then nothing was changed.
  func run(
    _ damage: String, releasing database: Database?, isCounted: Bool = true
  ) throws(JournalError) -> JournalRecovery {
    do {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
      let isOwn = isOwn(bytes)
      // The first page of a journal may be lost as a whole: then a record shows what it was.
      guard isOwn || bytes.count % Self.pageSize == 0 else { throw foreign(path, "not a journal") }
      let salvage = try salvaged(bytes)
      guard isOwn || !salvage.rows.isEmpty else { throw foreign(path, "not a journal") }
      try makeNewFile(of: salvage)
      database?.close()
      let damagedFile = try putAside()
      try files.moveItem(atPath: newFile, toPath: path)
      return JournalRecovery(
        salvaged: salvage.rows.count, lost: isCounted ? salvage.lost : nil, lostOrders: salvage.lostOrders,
        damagedFile: damagedFile,
        damage: damage)
    } catch {
      // Somebody may move the damaged file away as told to, and must not find half of it in its place.
      try? remove(unfinished)
      if files.fileExists(atPath: path) { try? remove(newFile) }
      if let error = error as? JournalError { throw error }
      if let refusal = error as? Database.Refusal { throw journalError(refusal, "salvage", path) }
      throw JournalError(
        .storage,
        "Cannot salvage the damaged journal \(path) (\(damage)): \(reason(error)). Check the free space and the "
          + "permissions of its folder, or move the file away.")
    }
  }

  /// Puts a new file in its place that an earlier process has left without one, and says where the damaged one is.
  func finishInterrupted() throws(JournalError) -> String? {
    try? remove(unfinished)
    guard files.fileExists(atPath: newFile) else { return nil }
    do {
      if files.fileExists(atPath: path) {
        // It died before the damaged file was put aside: that one is still there, to begin with again.
        try remove(newFile)
        return nil
      }
      // It may have died before the damaged file's log was put aside too, which must not be taken for the new one's.
      try putLogAside(to: asides.last ?? freeAside)
      try files.moveItem(atPath: newFile, toPath: path)
    } catch {
      throw JournalError(
        .storage,
        "Cannot finish salvaging the journal \(path): \(reason(error)). Move \(path)-wal away if it exists, then move "
          + "\(newFile) to \(path).")
    }
    return asides.last ?? path
  }

  // MARK: Whose file it is

  /// Whether a file that is no database any more still shows that it was a journal, or cannot have been anything.
  private func isOwn(_ bytes: Data) -> Bool {
    // The beginning of a database that lacks the rest of its first page, where it says what it holds; or nothing but zeros, as
    // a machine leaves a file that loses its power.
    let beginning = bytes.prefix(Self.magic.count)
    if bytes.count < Self.pageSize, beginning.elementsEqual(Self.magic.prefix(bytes.count)) { return true }
    if bytes.allSatisfy({ $0 == 0 }) { return true }
    return isDeclared(in: bytes)
      || (try? Data(contentsOf: URL(fileURLWithPath: path + "-wal"))).map(isDeclared) ?? false
  }

  /// Whether what a journal declares stands in bytes that are no text: one that only speaks of it is no journal.
  private func isDeclared(in bytes: Data) -> Bool {
    let words = ["order_id TEXT NOT NULL UNIQUE", "takings INTEGER NOT NULL) STRICT", "SET takings = takings "]
    return bytes.contains(0) && words.contains { bytes.range(of: Data($0.utf8)) != nil }
  }

  // MARK: Steps

  /// What the system says, as a part of a sentence.
  private func reason(_ error: any Error) -> String {
    let words = error.localizedDescription
    return words.hasSuffix(".") ? String(words.dropLast()) : words
  }

  /// What can be read of the file, or of the file with another first page if that is more.
  ///
  /// The first page says where the records are. One wrong bit there hides them all, and it is the same in every journal.
  private func salvaged(_ original: Data) throws -> Salvage {
    defer { try? remove(copy) }
    var bytes = original
    Self.mend(&bytes)
    let found = try salvage(from: bytes)
    guard found.lost != 0, let mended = withFreshFirstPage(bytes) else { return found }
    let more = try salvage(from: mended)
    return more.rows.count > found.rows.count ? more : found
  }

  private func salvage(from bytes: Data) throws -> Salvage {
    try remove(copy)
    try bytes.write(to: URL(fileURLWithPath: copy))
    if files.fileExists(atPath: path + "-wal") { try files.copyItem(atPath: path + "-wal", toPath: copy + "-wal") }
    guard let database = try? Database(at: copy) else { return Salvage(from: nil) }
    defer { database.close() }
    return Salvage(from: database)
  }

  /// The file with the first page of a new journal, but for what that says of this file: its pages and which are free.
  private func withFreshFirstPage(_ bytes: Data) -> Data? {
    guard (try? remove(copy)) != nil, let fresh = try? Database(at: copy) else { return nil }
    let isMade = (try? JournalStorage.migrate(fresh, at: copy, to: schema)) != nil
    fresh.close()
    guard isMade, let page = (try? Data(contentsOf: URL(fileURLWithPath: copy)))?.prefix(Self.pageSize),
      page.count == Self.pageSize, bytes.count >= page.count
    else { return nil }
    var result = page + bytes.dropFirst(page.count)
    let pages = UInt32(clamping: bytes.count / page.count)
    let count = (0..<4).map { UInt8(truncatingIfNeeded: pages >> (24 - 8 * $0)) }
    if bytes[28..<32].elementsEqual(count) {
      for own in [24..<40, 92..<96] { result.replaceSubrange(own, with: bytes[own]) }
    } else {
      // It says nothing that can be believed: as many as there are, and none of them free.
      result.replaceSubrange(28..<40, with: count + Array(repeating: 0, count: 8))
    }
    return result
  }

  /// The size of a journal's pages, in bytes: SQLite's own.
  private static let pageSize = 4_096

  /// How every database begins.
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Gives a copy the beginning and the length that SQLite insists on; what is not there is zero.
  private static func mend(_ bytes: inout Data) {
    guard bytes.count >= 100 else { return }
    bytes.replaceSubrange(0..<16, with: magic)
    var pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
    if pageSize == 1 { pageSize = 65_536 }
    let pages = bytes[28..<32].reduce(0) { $0 << 8 | Int($1) }
    let length = pages * pageSize
    // A damaged number of pages must not fill the disk.
    guard pageSize >= 512, length > bytes.count, length <= 4 * bytes.count + 65_536 else { return }
    bytes.append(Data(count: length - bytes.count))
  }

  private func makeNewFile(of salvage: Salvage) throws {
    try remove(newFile)
    try remove(unfinished)
    try fill(unfinished, with: salvage)
    try files.moveItem(atPath: unfinished, toPath: newFile)
  }

  private func fill(_ file: String, with salvage: Salvage) throws {
    let database = try Database(at: file)
    defer { database.close() }
    do { try JournalStorage.migrate(database, at: file, to: schema) } catch .refused(let refusal) {
      throw refusal
    } catch .tooNew(let error) {
      throw error
    }
    let storage = JournalStorage(database, at: file)
    try storage.write(all: salvage.rows)
    if let server = salvage.server { try storage.note(server: server) }
  }

  private func putAside() throws -> String {
    let aside = freeAside
    try files.moveItem(atPath: path, toPath: aside)
    try putLogAside(to: aside)
    return aside
  }

  private func putLogAside(to aside: String) throws {
    for suffix in Self.log where files.fileExists(atPath: path + suffix) {
      try files.moveItem(atPath: path + suffix, toPath: aside + suffix)
    }
  }

  /// The next name of which nothing is there, also no log whose file somebody has removed.
  private var freeAside: String { aside(asides.count + 1) }

  private var asides: [String] {
    Array(
      (1...).lazy.map(aside).prefix { aside in ([""] + Self.log).contains { files.fileExists(atPath: aside + $0) } })
  }

  private static let log = ["-wal", "-shm"]

  private func aside(_ number: Int) -> String { "\(path).damaged-\(number)" }

  private func remove(_ file: String) throws {
    for suffix in ["", "-wal", "-shm", "-journal"] where files.fileExists(atPath: file + suffix) {
      try files.removeItem(atPath: file + suffix)
    }
  }
}
