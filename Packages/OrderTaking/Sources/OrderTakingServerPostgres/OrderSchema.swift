internal import OrderTakingPostgres

extension Schema {
  /// The tables of order servers.
  ///
  /// The row of an order with a cursor is the outbox of its push: the decision and the push are one transaction.
  static let orders = Schema(
    purpose: "an order server", table: "order_server_migrations", function: "PostgresOrderStore.migrate(_:)",
    steps: [first])

  // Names are compared by their bytes, so the columns have the collation "C".
  //
  // - decline_reason: The reason for which every driver is declined, or NULL. decided_after: Nanoseconds.
  // - driver and later columns: The first request. begun_at: Nanoseconds since 1970. reason: The reason of a decline.
  // - cursor: The number of the push among the pushes to the driver; NULL before the decision.
  private static let first = """
    CREATE TABLE server_orders (
      id text COLLATE "C" PRIMARY KEY,
      details text NOT NULL,
      decline_reason text,
      decided_after bigint NOT NULL,
      driver text COLLATE "C",
      key text COLLATE "C",
      body_hash text,
      begun_at bigint,
      answer text,
      reason text,
      cursor bigint,
      UNIQUE (driver, key),
      UNIQUE (driver, cursor));
    CREATE INDEX server_orders_open ON server_orders (id) WHERE driver IS NULL;
    CREATE INDEX server_orders_undecided ON server_orders (begun_at) WHERE answer = 'processing';
    CREATE TABLE server_cursors (driver text COLLATE "C" PRIMARY KEY, cursor bigint NOT NULL);
    CREATE TABLE server_epoch (id integer PRIMARY KEY CHECK (id = 1), name text NOT NULL);
    """
}
