package import Futures
public import OrderTaking

package struct SchemaCheck: Sendable {
  private let pool: PostgresPool
  private let schema: Schema

  package init(_ schema: Schema, pool: PostgresPool) { (self.schema, self.pool) = (schema, pool) }

  private var newest: Int { schema.steps.count }

  /// Each step is a transaction that does nothing if it was performed, so that a call after a lost answer is safe.
  package func migrate() -> Future<Int, JournalError> {
    performed().flatMap(immediateExecutionContext) { number -> Future<Int, JournalError> in
      if let error = tooNew(number) { return Future(error: error) }
      return perform(after: number)
    }
  }

  private func perform(after number: Int) -> Future<Int, JournalError> {
    guard number < newest else { return Future(value: newest) }
    return pool.run(schema.statement(performing: number + 1)).mapError(immediateExecutionContext) { error in
      let nextStep: String? =
        switch error.effect {
        case .notSent: nil
        case .refused:
          "Correct the cause, for example a missing permission or another table of this name. Then run the migration again."
        case .unknown: "Run the migration again."
        }
      return error.journalError("migrate the database to schema \(number + 1)", nextStep)
    }.flatMap(immediateExecutionContext) { _ in perform(after: number + 1) }
  }

  /// Succeeds if the database has exactly this release's schema, and keeps commits.
  package func check() -> Future<Void, JournalError> {
    performed().flatMap(immediateExecutionContext) { number -> Future<Void, JournalError> in
      if let error = tooNew(number) { return Future(error: error) }
      guard number == newest else {
        let found =
          number == 0
          ? "it has no tables of \(schema.purpose)" : "its schema is \(number), and \(newest) is required"
        return Future(
          error: JournalError(
            .notMigrated, "Cannot use the database: \(found). Run `\(schema.function)` once, then try again."))
      }
      return checkCommits()
    }
  }

  private func checkCommits() -> Future<Void, JournalError> {
    pool.run(Statement(name: "", sql: "SELECT current_setting('synchronous_commit')"))
      .mapError(immediateExecutionContext) { $0.journalError("read the settings of the database") }
      .flatMap(immediateExecutionContext) { rows -> Future<Void, JournalError> in
        guard rows.first?.text(0) == "off" else { return Future(value: ()) }
        return Future(
          error: JournalError(
            .storage,
            "Cannot use the database: synchronous_commit is off, so a crash of the server would lose records. "
              + "Run ALTER ROLE … SET synchronous_commit = on for the role of the workers."))
      }
  }

  private func performed() -> Future<Int, JournalError> {
    let exists = Statement(name: "", sql: "SELECT to_regclass('\(schema.table)') IS NOT NULL")
    let newest = Statement(name: "", sql: "SELECT coalesce(max(number), 0) FROM \(schema.table)")
    return pool.run(exists).flatMap(immediateExecutionContext) { rows -> Future<[Row], PostgresError> in
      rows.first?.flag(0) == true ? pool.run(newest) : Future(value: [])
    }
    .map(immediateExecutionContext) { rows in Int(rows.first?.integer(0) ?? 0) }
    .mapError(immediateExecutionContext) { $0.journalError("read the schema of the database") }
  }

  private func tooNew(_ number: Int) -> JournalError? {
    guard number > newest else { return nil }
    return JournalError(
      .tooNew,
      "Cannot use the database: its schema is \(number), and this release knows schemas up to \(newest). Use a newer release."
    )
  }
}

extension PostgresError {
  package func journalError(_ action: String, _ nextStep: String? = nil) -> JournalError {
    switch effect {
    case .notSent:
      JournalError(
        .storage,
        "Cannot \(action): \(message)\(message.hasSuffix("?") ? "" : ".") "
          + (nextStep ?? nextStepIfNotSent))
    case .refused("23505"):
      JournalError(
        .storage, "Cannot \(action): \(message) (SQLSTATE 23505). Use a new idempotency key for each order.")
    case .refused("42P01") where nextStep == nil:
      JournalError(
        .storage,
        "Cannot \(action): a table is missing: \(message) (SQLSTATE 42P01). Migrate the database, or check that the connection "
          + "string names the database and the schema with the tables.")
    case .refused(let state):
      JournalError(
        .storage,
        "Cannot \(action): the server refused a statement: \(message) (SQLSTATE \(state)). "
          + (Self.nextSteps[state] ?? nextStep ?? "Correct the cause, then try again."))
    case .unknown:
      JournalError(
        .unknownOutcome, "Cannot \(action): the answer was lost: \(message). \(nextStep ?? "Read the record again.")")
    }
  }

  private static let nextSteps = [
    "25006": "Connect to the primary server, or turn default_transaction_read_only off.",
    "42501": "Grant the permission to the role.",
    "53100": "Free disk space on the server.",
  ]

  /// libpq reports the cause of a failed connection only as a text.
  private var nextStepIfNotSent: String {
    let steps = [
      ("connections are closed", "Open the journal or the store again."),
      ("connection string", "Correct the connection string."),
      ("was free in time", "Check the load and the locks of the server."),
      ("limit of a statement", "Check the load and the locks of the server."),
      ("memory", "Free some memory."),
      ("password", "Check the user and the password file."),
      ("does not exist", "Create it, or correct the connection string."),
      ("terminating", "Try again."),
      ("database system is", "Try again when the server accepts connections."),
      ("FATAL", "Correct the settings of the server, or the connection string."),
      ("SSL", "Correct the settings of the server, or the connection string."),
      ("invalid", "Correct the connection string."),
    ]
    return steps.first { message.contains($0.0) }?.1
      ?? "Check the address of the database, and that the PostgreSQL server runs."
  }
}

extension JournalError.Kind {
  /// The database lacks tables, or has those of an earlier release.
  public static let notMigrated = JournalError.Kind(rawValue: "not migrated")
}
