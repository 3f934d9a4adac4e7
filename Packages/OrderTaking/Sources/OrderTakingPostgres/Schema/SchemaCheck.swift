internal import Futures
internal import OrderTaking

/// The migration and the check of a database's schema.
struct SchemaCheck: Sendable {
  let pool: PostgresPool
  var migrations = Migration.all

  /// Performs the missing steps, and returns the number of the schema.
  ///
  /// Each step is a transaction that does nothing if it was performed, so that a call after a lost answer is safe.
  func migrate() -> Future<Int, JournalError> {
    performed().flatMap(immediateExecutionContext) { number -> Future<Int, JournalError> in
      if let error = tooNew(number) { return Future(error: error) }
      return perform(migrations[...].drop { $0.number <= number })
    }
  }

  private func perform(_ missing: ArraySlice<Migration>) -> Future<Int, JournalError> {
    guard let step = missing.first else { return Future(value: migrations.last?.number ?? 0) }
    return pool.run(step.statement).mapError(immediateExecutionContext) { error in
      error.journalError("migrate the database to schema \(step.number)", "Run the migration again.")
    }.flatMap(immediateExecutionContext) { _ in perform(missing.dropFirst()) }
  }

  /// Succeeds if the database has exactly this release's schema, and keeps commits.
  func check() -> Future<Void, JournalError> {
    performed().flatMap(immediateExecutionContext) { number -> Future<Void, JournalError> in
      if let error = tooNew(number) { return Future(error: error) }
      guard number == newest else {
        let found = number == 0 ? "it has no tables of a journal" : "its schema is \(number), and \(newest) is required"
        return Future(
          error: JournalError(
            .storage,
            "Cannot use the database: \(found). Run `PostgresJournal.migrate(_:)` once, then start the workers."))
      }
      return checkCommits()
    }
  }

  private var newest: Int { migrations.last?.number ?? 0 }

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

  /// Returns the number of the newest step that was performed, or 0.
  private func performed() -> Future<Int, JournalError> {
    let exists = Statement(name: "", sql: "SELECT to_regclass('order_taking_migrations') IS NOT NULL")
    let newest = Statement(name: "", sql: "SELECT coalesce(max(number), 0) FROM order_taking_migrations")
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
  /// Returns the error of a journal, with the failed action, the cause and the next step.
  func journalError(_ action: String, _ nextStep: String? = nil) -> JournalError {
    switch effect {
    case .notSent:
      JournalError(
        .storage,
        "Cannot \(action): \(message). \(nextStep ?? "Check that the PostgreSQL server runs and can be reached.")")
    case .refused("23505"):
      JournalError(
        .storage, "Cannot \(action): \(message) (SQLSTATE 23505). Use a new idempotency key for each order.")
    case .refused(let state):
      JournalError(
        .storage,
        "Cannot \(action): the server refused a statement: \(message) (SQLSTATE \(state)). "
          + (nextStep ?? "Check the permissions of the role and the disk of the server."))
    case .unknown:
      JournalError(
        .unknownOutcome, "Cannot \(action): the answer was lost: \(message). \(nextStep ?? "Read the record again.")")
    }
  }
}
