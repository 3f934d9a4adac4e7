internal import Futures
internal import OrderTaking

/// The tables of a journal, as in <doc:Running>.
enum Schema {
  /// Names are compared by their bytes, so they have the collation "C".
  ///
  /// - `state`, `begun_at`, `due_at` repeat what `record` contains. `due_at` is the epoch if the order is due at once, and `NULL` if
  ///   nothing is left to do. A row without a record is a placeholder of an order that a worker has claimed.
  /// - A worker owns the order from `leased_at` to `lease_until`. Neither is part of an index, so renewals update no index.
  /// - `fence`: a number that each claim raises.
  ///
  /// `claim_taking_result(driver, order)` delivers the outcome of an order once, to the transaction that calls it and commits. A delivered
  /// unknown outcome becomes due again after a minute.
  static let statements = """
    CREATE SEQUENCE takings_fence;
    CREATE TABLE takings (
      driver text COLLATE "C" NOT NULL,
      order_id text COLLATE "C" NOT NULL,
      state text,
      begun_at timestamptz NOT NULL DEFAULT 'epoch',
      due_at timestamptz,
      delivered boolean NOT NULL DEFAULT false,
      record text,
      cancel_requested boolean NOT NULL DEFAULT false,
      owner text,
      fence bigint NOT NULL,
      leased_at timestamptz NOT NULL,
      lease_until timestamptz NOT NULL,
      PRIMARY KEY (driver, order_id)) WITH (fillfactor = 70);
    CREATE INDEX takings_due ON takings (driver, due_at, begun_at) WHERE due_at IS NOT NULL;
    CREATE INDEX takings_ended ON takings (begun_at, state) WHERE due_at IS NULL;
    CREATE FUNCTION claim_taking_result(text, text) RETURNS TABLE (state text, record text) LANGUAGE sql AS $function$
      UPDATE takings AS t SET
        delivered = true, due_at = CASE WHEN t.state = 'unknown' THEN now() + interval '1 minute' END
      WHERE t.driver = $1 AND t.order_id = $2 AND NOT t.delivered AND t.state <> 'unfinished'
      RETURNING t.state, t.record
    $function$;
    """

  private static let columns: Set = [
    "driver text", "order_id text", "state text", "begun_at timestamp with time zone",
    "due_at timestamp with time zone", "delivered boolean", "record text", "cancel_requested boolean", "owner text",
    "fence bigint", "leased_at timestamp with time zone", "lease_until timestamp with time zone",
  ]

  /// Concurrent calls wait for each other, by an advisory lock with the text `ordertak` as its number.
  private static let create = Statement(
    """
    DO $schema$ BEGIN
      PERFORM pg_advisory_xact_lock(\(0x6f72_6465_7274_616b as Int64));
      -- This reads the table of a transaction that has just ended, unlike to_regclass.
      IF NOT EXISTS (SELECT FROM pg_class WHERE relname = 'takings' AND relnamespace = current_schema()::regnamespace) THEN
        \(statements)
      END IF;
    END $schema$
    """, isRepeatable: true)

  private static let read = Statement(
    """
    SELECT current_setting('synchronous_commit'), current_setting('server_encoding'),
      (SELECT json_agg(attname || ' ' || format_type(atttypid, NULL)) FROM pg_attribute
       WHERE attrelid = to_regclass('takings') AND attnum > 0 AND NOT attisdropped)
    """, isRepeatable: true)

  /// Creates the tables if they are missing, and checks them and the settings that keep records.
  static func prepare(_ pool: PostgresPool) -> Future<Void, JournalError> {
    pool.run(read).mapError(immediateExecutionContext) { $0.journalError("read the tables of the journal") }
      .flatMap(immediateExecutionContext) { rows -> Future<Void, JournalError> in
        let row = rows.first ?? []
        guard row.count == 3, let commit = row[0], let encoding = row[1] else { return Future(value: ()) }
        if commit == "off" {
          return refuse(
            "synchronous_commit is off, so a crash of the server would lose records. "
              + "Run ALTER ROLE … SET synchronous_commit = on")
        }
        if encoding != "UTF8" { return refuse("its encoding is \(encoding). Create a database with the encoding UTF8") }
        guard let found = row[2].flatMap({ decodeJSON(Set<String>.self, $0) }) else { return createTables(pool) }
        if found == columns { return Future(value: ()) }
        let (missing, other) = (columns.subtracting(found).sorted(), found.subtracting(columns).sorted())
        return refuse(
          "its table takings is not that of a journal (missing: \(missing), other: \(other)). "
            + "Use another database or schema, or remove the table if nothing needs it", .foreign)
      }
  }

  private static func createTables(_ pool: PostgresPool) -> Future<Void, JournalError> {
    pool.run(create).mapError(immediateExecutionContext) { $0.journalError("create the tables of the journal") }
      .asVoid()
  }

  private static func refuse(_ reason: String, _ kind: JournalError.Kind = .storage) -> Future<Void, JournalError> {
    Future(error: JournalError(kind, "Cannot use the database: \(reason)."))
  }
}
