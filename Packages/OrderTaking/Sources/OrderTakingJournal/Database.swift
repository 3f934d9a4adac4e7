internal import CSQLite
internal import Foundation
internal import OrderTaking

/// A connection to an SQLite file.
///
/// Not thread-safe: its owner uses it on one thread at a time.
package final class Database {
  package enum Value: Hashable, Sendable {
    case integer(Int64)
    case text(String)
    case null

    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    package var text: String? { if case .text(let text) = self { text } else { nil } }
  }

  /// The connection of SQLite, or `nil` after ``close()``.
  package private(set) var connection: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  /// Opens a file, and creates it if it is missing.
  ///
  /// A new file can be read only by its owner, as the other files that SQLite makes for it.
  package init(at path: String) throws(Refusal) {
    guard Self.mayBe(at: path) else { throw Refusal(code: SQLITE_CANTOPEN, message: "it is not a regular file") }
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      // To close it after SQLite has opened the file would end SQLite's locks.
      Foundation.close(descriptor)
    } else if errno != EEXIST {
      throw Refusal(code: SQLITE_CANTOPEN, message: String(cString: strerror(errno)), systemCode: errno)
    }
    var connection: OpaquePointer?
    let code = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let connection else {
      let refusal = Refusal(code, of: connection)
      sqlite3_close_v2(connection)
      throw refusal
    }
    self.connection = connection
    sqlite3_extended_result_codes(connection, 1)
    // Another process may be about to close the file.
    sqlite3_busy_timeout(connection, 250)
    // On Apple's platforms, only a full sync empties the cache of the disk.
    try execute("PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON; PRAGMA trusted_schema=OFF")
  }

  deinit { close() }

  /// Whether a path is that of a regular file, or of no file.
  ///
  /// SQLite would wait for a pipe.
  package static func mayBe(at path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  /// - Parameter keepingLog: Whether the write-ahead log stays beside the file.
  package func close(keepingLog: Bool = false) {
    for statement in statements.values { sqlite3_finalize(statement) }
    statements = [:]
    if keepingLog { _ = csqlite_keep_log(connection) }
    sqlite3_close_v2(connection)
    connection = nil
  }

  package var isInTransaction: Bool { connection.map { sqlite3_get_autocommit($0) == 0 } ?? false }

  package var changeCount: Int { connection.map { Int(sqlite3_changes($0)) } ?? 0 }

  /// Runs statements without parameters and results.
  package func execute(_ sql: String) throws(Refusal) {
    let code = connection.map { sqlite3_exec($0, sql, nil, nil, nil) } ?? SQLITE_MISUSE
    guard code == SQLITE_OK else { throw Refusal(code, of: connection) }
  }

  /// Runs one statement, and returns its rows.
  @discardableResult
  package func query(_ sql: String, _ parameters: [Value] = []) throws(Refusal) -> [[Value]] {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, parameter) in parameters.enumerated() {
      let code = bind(parameter, to: statement, Int32(index + 1))
      guard code == SQLITE_OK else { throw Refusal(code, of: connection) }
    }
    var rows: [[Value]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: rows.append((0..<sqlite3_column_count(statement)).map { value(in: statement, $0) })
      case SQLITE_DONE: return rows
      case let code: throw Refusal(code, of: connection)
      }
    }
  }

  private func prepared(_ sql: String) throws(Refusal) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    let code = connection.map { sqlite3_prepare_v2($0, sql, -1, &statement, nil) } ?? SQLITE_MISUSE
    guard code == SQLITE_OK, let statement else { throw Refusal(code, of: connection) }
    statements[sql] = statement
    return statement
  }

  /// Texts have their length, so their bytes are stored and compared as they are.
  private func bind(_ value: Value, to statement: OpaquePointer, _ index: Int32) -> Int32 {
    switch value {
    case .integer(let number): return sqlite3_bind_int64(statement, index, number)
    case .text(let text):
      // `SQLITE_TRANSIENT`, a macro that Swift cannot import: SQLite copies the text.
      let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      return sqlite3_bind_text(statement, index, text, Int32(clamping: text.utf8.count), transient)
    case .null: return sqlite3_bind_null(statement, index)
    }
  }

  private func value(in statement: OpaquePointer, _ column: Int32) -> Value {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_NULL: return .null
    default:
      let bytes = UnsafeBufferPointer(
        start: sqlite3_column_text(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
      return .text(String(decoding: bytes, as: UTF8.self))
    }
  }
}

// MARK: Errors

extension Database {
  /// An error of SQLite, with its extended result code.
  package struct Refusal: Error, Hashable, Sendable {
    package let code: Int32
    package let message: String
    /// The system's error number, or 0 if it is unknown.
    private let systemCode: Int32

    package init(code: Int32, message: String, systemCode: Int32 = 0) {
      (self.code, self.message, self.systemCode) = (code, message, systemCode)
    }

    fileprivate init(_ code: Int32, of connection: OpaquePointer?) {
      self.code = code
      // With other codes, SQLite returns the number of an earlier failure.
      systemCode = [SQLITE_CANTOPEN, SQLITE_IOERR].contains(code & 0xFF) ? sqlite3_system_errno(connection) : 0
      let text = connection.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
      message = systemCode == 0 ? text : "\(text): \(String(cString: strerror(systemCode)))"
    }

    private var primaryCode: Int32 { code & 0xFF }

    package var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(primaryCode) }
    package var isNoDatabase: Bool { primaryCode == SQLITE_NOTADB }
    package var isBusy: Bool { [SQLITE_BUSY, SQLITE_LOCKED].contains(primaryCode) }
    package var isFull: Bool { primaryCode == SQLITE_FULL }
    package var isReadOnly: Bool {
      [SQLITE_READONLY, SQLITE_PERM].contains(primaryCode) || [EACCES, EPERM, EROFS].contains(systemCode)
        // SQLite opens a file without the right to write it for reading, and then cannot lock it.
        || code == lockFailure && systemCode == EBADF
    }

    /// `SQLITE_IOERR_LOCK`, a macro that Swift cannot import.
    private var lockFailure: Int32 { SQLITE_IOERR | 15 << 8 }

    package var nextStep: String {
      switch (primaryCode, systemCode) {
      case _ where isBusy: "Close it there, end that process, or use another file."
      case _ where isReadOnly: "Check the permissions of the file and of its folder."
      case (SQLITE_FULL, _), (_, ENOSPC), (_, EDQUOT): "Free disk space, or use a file on another disk."
      case (_, EMFILE), (_, ENFILE): "Raise the limit of open files with 'ulimit -n'."
      case (SQLITE_CANTOPEN, _): "Check the path, and create its folder."
      case (SQLITE_IOERR, _): "Check the disk and its free space."
      case (SQLITE_CORRUPT, _): "Restore the file from a backup, or use another file."
      default: "Use another file."
      }
    }
  }
}
