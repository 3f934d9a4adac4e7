internal import OrderTaking

/// The reason why a statement failed, and what became of it.
struct PostgresError: Error, Equatable {
  enum Effect: Equatable {
    case notSent
    /// The server answered with an error and changed nothing.
    case refused
    /// It was sent, and its answer was lost.
    case unknown
  }

  /// The next step for an error without an SQLSTATE.
  enum Advice: String, Equatable {
    case addPassword = "Write the password into the password file, or set PGPASSFILE."
    case checkLoad = "Check the load and the locks of the server."
    case correctString =
      "Write postgres://user@host/database, or pairs such as host=… dbname=…. In a URI, write %40 for @ and %2F for /."
    case openAgain = "Open the journal again."
  }

  var effect: Effect
  var sqlstate: String?
  var message: String
  var advice: Advice?

  init(_ effect: Effect, sqlstate: String? = nil, message: String, advice: Advice? = nil) {
    (self.effect, self.sqlstate, self.message, self.advice) = (effect, sqlstate, message, advice)
  }

  static let malformedConnectionString = PostgresError(
    .notSent, message: "the connection string is malformed", advice: .correctString)

  /// Returns the SQLSTATE in a verbose message of libpq about connecting, where it follows the severity and two spaces.
  static func sqlstate(ofConnecting message: String) -> String? {
    let bytes = Array(message.utf8)
    let isCode = { (byte: UInt8) in (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) }
    let start = bytes.indices.dropLast(8).last { start in
      bytes[start...].starts(with: ":  ".utf8) && bytes[start + 8] == UInt8(ascii: ":")
        && bytes[start + 3..<start + 8].allSatisfy(isCode)
    }
    return start.map { String(decoding: bytes[$0 + 3..<$0 + 8], as: UTF8.self) }
  }

  /// Whether the same statement can succeed if it is sent again, because it has met another transaction.
  var hasConflict: Bool { effect == .refused && (sqlstate == "40P01" || sqlstate == "40001") }

  /// Whether another attempt to connect can succeed.
  ///
  /// The SQLSTATE is missing after the first attempt.
  var isTransient: Bool {
    guard let sqlstate else { return advice == nil }
    return ["08", "53", "57"].contains(sqlstate.prefix(2))
  }

  func journalError(_ action: String, isWrite: Bool = false) -> JournalError {
    let cause = [".", "?"].contains(message.last) ? String(message.dropLast()) : message
    let code = sqlstate.map { " (SQLSTATE \($0))" } ?? ""
    if effect == .unknown, isWrite {
      return JournalError(
        .unknownOutcome, "Cannot \(action): the answer was lost: \(cause)\(code). Read the record again.")
    }
    return JournalError(kind, "Cannot \(action): \(cause)\(code). \(nextStep)")
  }

  private var kind: JournalError.Kind {
    switch sqlstate {
    case "25006", "42501": .notWritable
    case "42P01", "42703", "42883": .foreign
    default: .storage
    }
  }

  private var nextStep: String {
    if let advice { return advice.rawValue }
    switch sqlstate {
    case "08P01", "26000", "42P05":
      return
        "If a pooler such as pgbouncer is between, use its session mode, and check its databases, users and startup parameters."
    case "25006": return "Connect to the primary server, for example with target_session_attrs=read-write."
    case "28000", "28P01": return "Check the role, its password file and the server's pg_hba.conf."
    case "3D000": return "Create the database, or correct the connection string."
    case "42501":
      return "Grant the right to the role, or let an administrator run the statements on the page “Running workers”."
    case "42P01", "42703", "42883":
      return
        "Check that the connection string names the database and the schema of the journal, then open the journal again."
    case "53100": return "Free disk space on the server."
    case "53200": return "Free memory on the server."
    case "53300": return "Raise max_connections of the server, or lower poolSize."
    case "55P03", "57014": return Advice.checkLoad.rawValue
    case let state? where state.hasPrefix("57P"): return "Try again when the server accepts connections."
    default:
      return effect == .notSent
        ? "Check the address of the database, its TLS settings, and that the PostgreSQL server runs."
        : "Correct the cause, then try again."
    }
  }
}
