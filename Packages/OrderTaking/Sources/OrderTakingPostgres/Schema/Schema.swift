/// Steps are never changed after a release; a change of the tables is a new step.
package struct Schema: Sendable {
  package let purpose: String
  package let table: String
  package let function: String
  package var steps: [String]

  package init(purpose: String, table: String, function: String, steps: [String]) {
    (self.purpose, self.table, self.function, self.steps) = (purpose, table, function, steps)
  }

  /// The step and its record are one transaction.
  ///
  /// An advisory lock makes concurrent migrations wait for each other.
  func statement(performing number: Int) -> Statement {
    Statement(
      name: "",
      sql: """
        DO $step$ BEGIN
          PERFORM pg_advisory_xact_lock(\(Self.lock));
          CREATE TABLE IF NOT EXISTS \(table) (
            number integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
          IF NOT EXISTS (SELECT FROM \(table) WHERE number >= \(number)) THEN
            \(steps[number - 1])
            INSERT INTO \(table) (number) VALUES (\(number));
          END IF;
        END $step$
        """)
  }

  /// The number of the advisory lock: the text `ordertak` as bytes.
  private static let lock: Int64 = 0x6f72_6465_7274_616b
}

extension Schema {
  static let journal = Schema(
    purpose: "a journal", table: "order_taking_migrations", function: "PostgresJournal.migrate(_:)",
    steps: [first, pushes])

  // Names are compared by their bytes, so the columns have the collation "C".
  //
  // - key: The idempotency key. A row without one is a placeholder: an order that a worker has claimed and not recorded.
  // - change, detail: The checkpoint; see `TakingCheckpoint.words`.
  // - begun_at, put_at: Nanoseconds since 1970. put_uptime, boot: The clock of the machine that sent the last PUT.
  // - lease_until: The time from which any worker can claim the order: the end of the lease, or the time of the release.
  // - due_at: A time at or before `lease_until`, by which the index finds orders that may be due. Claims and most renewals change only
  //   `lease_until`, which no index contains, and pages have space for a second version of each row. So they update no index.
  // - fence: A number that each claim raises. A sequence makes it unique, also if the row was removed in between.
  //
  // `claim_taking_result(driver, order)` delivers the outcome of an order once, to the transaction that calls it and commits.
  private static let first = """
    CREATE SEQUENCE takings_fence;
    CREATE TABLE takings (
      driver text COLLATE "C" NOT NULL,
      order_id text COLLATE "C" NOT NULL,
      key text COLLATE "C",
      body bytea NOT NULL DEFAULT '',
      change text NOT NULL DEFAULT '',
      detail text NOT NULL DEFAULT '',
      begun_at bigint NOT NULL DEFAULT 0,
      put_at bigint,
      put_uptime bigint,
      boot bigint,
      owner text,
      fence bigint NOT NULL,
      lease_until timestamptz NOT NULL,
      due_at timestamptz NOT NULL CHECK (due_at <= lease_until),
      cancel_requested boolean NOT NULL DEFAULT false,
      delivered_at timestamptz,
      is_removable boolean NOT NULL GENERATED ALWAYS AS (delivered_at IS NOT NULL AND change <> 'ended unknown') STORED,
      PRIMARY KEY (driver, order_id),
      UNIQUE (driver, key)) WITH (fillfactor = 50);
    CREATE INDEX takings_due ON takings (due_at, driver) WHERE delivered_at IS NULL AND key IS NOT NULL;
    CREATE INDEX takings_removable ON takings (begun_at) WHERE is_removable;
    CREATE INDEX takings_placeholders ON takings (due_at) WHERE key IS NULL;
    CREATE FUNCTION claim_taking_result(text, text) RETURNS TABLE (change text, detail text) LANGUAGE sql AS $function$
      UPDATE takings AS t SET delivered_at = now()
      WHERE t.driver = $1 AND t.order_id = $2 AND t.delivered_at IS NULL AND t.change LIKE 'ended%'
      RETURNING t.change, t.detail
    $function$;
    """

  // - taking_drivers: The drivers with a push channel. The owner is the worker that may connect to it. epoch, cursor: The checkpoint of
  //   the last stored push.
  // - push_key, push_reason: A push to the order with this key. The reason is that of a decline, or NULL for an acceptance.
  private static let pushes = """
    CREATE TABLE taking_drivers (
      driver text COLLATE "C" PRIMARY KEY,
      epoch text,
      cursor bigint,
      owner text NOT NULL,
      fence bigint NOT NULL,
      lease_until timestamptz NOT NULL) WITH (fillfactor = 50);
    ALTER TABLE takings ADD COLUMN push_key text COLLATE "C", ADD COLUMN push_reason text;
    """
}
