internal import CSQLite
internal import Foundation
internal import OrderTaking

/// Not thread-safe: its owner uses it on one thread at a time.
package final class Database {
  package struct Refusal: Error {
    package let code: Int32
    package let message: String
    /// The system's error number, or 0 if it is unknown.
    private let systemCode: Int32

    package init(code: Int32, message: String, systemCode: Int32 = 0) {
      (self.code, self.message, self.systemCode) = (code, message, systemCode)
    }

    fileprivate init(_ code: Int32, of connection: OpaquePointer?) {
      let message = connection.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      // With any other code, SQLite returns the number of an earlier failure.
      let isOfSystem = [SQLITE_CANTOPEN, SQLITE_IOERR].contains(code & 0xFF)
      let systemCode = isOfSystem ? sqlite3_system_errno(connection) : 0
      // In a folder that is not writable, SQLite also tries to open the file for reading, and reports only that it does not exist.
      let cause = [0, ENOENT].contains(systemCode) ? "" : ": \(String(cString: strerror(systemCode)))"
      self.init(code: code, message: message + cause, systemCode: systemCode)
    }

    package var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF) }
    package var isBusy: Bool { [SQLITE_BUSY, SQLITE_LOCKED].contains(code & 0xFF) }
    package var isMissingFile: Bool { [SQLITE_CANTOPEN, SQLITE_READONLY].contains(code & 0xFF) }
    package var isReadOnly: Bool {
      code & 0xFF == SQLITE_READONLY || code & 0xFF == SQLITE_PERM || [EACCES, EPERM, EROFS].contains(systemCode)
    }
    /// Whether the disk was full before the last page of a transaction was written.
    package var isFull: Bool { code & 0xFF == SQLITE_FULL }

    package var nextStep: String {
      switch (code & 0xFF, systemCode) {
      case (SQLITE_FULL, _), (_, ENOSPC), (_, EDQUOT): "Free disk space, or use a file on another disk."
      case (_, EMFILE), (_, ENFILE): "Raise the limit of open files with 'ulimit -n'."
      case _ where isReadOnly: "Check the permissions of the file and of its folder."
      case (SQLITE_CANTOPEN, _): "Check that its folder exists and is writable."
      case (SQLITE_IOERR, _): "Check the disk and its free space."
      case (SQLITE_NOMEM, _): "Free some memory."
      case (SQLITE_CORRUPT, _): "Restore the file from a backup, or use another file."
      default: "Use another file."
      }
    }
  }

  package enum Value: Equatable {
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    case null

    package var text: String? { if case .text(let text) = self { text } else { nil } }
  }

  package enum Access {
    case readWrite
    /// Reads a file that another connection may write, and changes nothing.
    case readOnly
    /// Reads a file that is not in use, and changes nothing.
    case immutable
  }

  /// A function that tests put around ``execute(_:)``, to fail or to wait.
  package typealias Hook = @Sendable (_ sql: String, _ run: () throws(Refusal) -> Void) throws(Refusal) -> Void

  package var hook: Hook?
  private var connection: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  /// Whether a path is that of a regular file, or of no file.
  ///
  /// SQLite would create files beside a device. It removes a last `/`, `/.` or `/..`, but not from the names of its other files.
  package static func mayBe(at path: String) -> Bool {
    var status = stat()
    guard !["", ".", ".."].contains(FilePath.name(of: path)) else { return false }
    return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  package init(at path: String, _ access: Access = .readWrite) throws(Refusal) {
    if path != ":memory:", access == .readWrite { createPrivateFile(at: path) }
    var connection: OpaquePointer?
    let name: String
    let flags: Int32
    switch access {
    case .readWrite: (name, flags) = (path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    case .readOnly: (name, flags) = (Self.uri(path, "readonly_shm=1"), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    case .immutable: (name, flags) = (Self.uri(path, "immutable=1"), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    }
    let code = sqlite3_open_v2(name, &connection, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let connection else {
      let refusal = Refusal(code, of: connection)
      sqlite3_close_v2(connection)
      throw refusal
    }
    self.connection = connection
    sqlite3_extended_result_codes(connection, 1)
  }

  deinit { close() }

  private static func uri(_ path: String, _ option: String) -> String {
    let path = path.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["/", ".", "-", "_"])) ?? path
    // A path that begins with two slashes would be read as a host.
    return "file:\(path.hasPrefix("/") ? "//" : "")\(path)?\(option)"
  }

  package func close() {
    for statement in statements.values { sqlite3_finalize(statement) }
    statements = [:]
    sqlite3_close_v2(connection)
    connection = nil
  }

  package var isInTransaction: Bool { connection.map { sqlite3_get_autocommit($0) == 0 } ?? false }

  package var changeCount: Int { connection.map { Int(sqlite3_changes($0)) } ?? 0 }

  package func execute(_ sql: String) throws(Refusal) {
    guard let hook else { return try run(sql) }
    try hook(sql) { () throws(Refusal) in try self.run(sql) }
  }

  private func run(_ sql: String) throws(Refusal) {
    guard connection != nil else { throw Refusal(code: SQLITE_MISUSE, message: "closed") }
    let code = sqlite3_exec(connection, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw refusal(code) }
  }

  @discardableResult
  package func query(_ sql: String, _ parameters: [Value] = []) throws(Refusal) -> [[Value]] {
    var rows: [[Value]] = []
    try each(sql, parameters) { rows.append($0) }
    return rows
  }

  /// Runs a statement, and passes each row to a function, also those before an error.
  package func each(_ sql: String, _ parameters: [Value] = [], _ body: ([Value]) -> Void) throws(Refusal) {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, parameter) in parameters.enumerated() {
      let code = bind(parameter, to: statement, Int32(index + 1))
      guard code == SQLITE_OK else { throw refusal(code) }
    }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: body((0..<sqlite3_column_count(statement)).map { value(in: statement, $0) })
      case SQLITE_DONE: return
      case let code: throw refusal(code)
      }
    }
  }

  private func prepared(_ sql: String) throws(Refusal) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    guard connection != nil else { throw Refusal(code: SQLITE_MISUSE, message: "closed") }
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw refusal(code) }
    statements[sql] = statement
    return statement
  }

  private func bind(_ value: Value, to statement: OpaquePointer, _ index: Int32) -> Int32 {
    // `SQLITE_TRANSIENT`, a macro that Swift cannot import: SQLite copies the value.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .integer(let number): return sqlite3_bind_int64(statement, index, number)
    case .text(let text): return sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), transient)
    case .blob(let bytes):
      return bytes.isEmpty
        ? sqlite3_bind_zeroblob(statement, index, 0)
        : sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), transient)
    case .null: return sqlite3_bind_null(statement, index)
    }
  }

  private func value(in statement: OpaquePointer, _ column: Int32) -> Value {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_TEXT:
      let bytes = UnsafeBufferPointer(
        start: sqlite3_column_text(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
      return .text(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      let bytes = UnsafeRawBufferPointer(
        start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
      return .blob(Array(bytes))
    default: return .null
    }
  }

  private func refusal(_ code: Int32) -> Refusal { Refusal(code, of: connection) }
}

/// SQLite gives its other files the same permissions.
///
/// A failure is ignored, because SQLite reports it when it opens the file. The file is closed before SQLite opens it:
/// closing it later would end SQLite's locks.
private func createPrivateFile(at path: String) {
  let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  if descriptor >= 0 { close(descriptor) }
}
