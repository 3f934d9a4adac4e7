internal import OrderTakingPostgres

let pushChannel = "order_server"

extension Statement {
  private static let columns = """
    o.id, o.details, o.decline_reason, o.decided_after, o.driver, o.key, o.body_hash, o.begun_at, o.answer, o.reason, \
    o.cursor
    """

  static let epoch = Statement(name: "epoch", sql: "SELECT name FROM server_epoch")

  static let saveEpoch = Statement(
    name: "save_epoch", sql: "INSERT INTO server_epoch VALUES (1, $1) ON CONFLICT DO NOTHING")

  static let offer = Statement(
    name: "offer",
    sql: """
      INSERT INTO server_orders (id, details, decline_reason, decided_after)
      SELECT id, details, CASE WHEN is_declined THEN reason END, decided_after
      FROM unnest($1, $2, $3, $4, $5) AS w (id, details, is_declined, reason, decided_after)
      ON CONFLICT DO NOTHING
      """)

  static let order = Statement(
    name: "order",
    sql: "SELECT \(columns) FROM server_orders AS o WHERE o.id = $1 OR o.driver = $2 AND o.key = $3")

  static let open = Statement(
    name: "open",
    sql: "SELECT \(columns) FROM server_orders AS o WHERE o.driver IS NULL AND o.id > $1 ORDER BY o.id LIMIT $2")

  static let openNames = Statement(
    name: "", sql: "SELECT id FROM server_orders WHERE driver IS NULL ORDER BY id LIMIT $1")

  /// Returns the number of open orders, from an index that contains only these.
  static let openCount = Statement(name: "open_count", sql: "SELECT count(*) FROM server_orders WHERE driver IS NULL")

  /// Locks the order first, and changes nothing if another server has changed the order.
  ///
  /// The driver's row in `server_cursors` stays locked until the commit, so that pushes become visible in the order of
  /// their cursors.
  static let store = Statement(
    name: "store",
    sql: """
      WITH locked AS (
        SELECT id FROM server_orders
        WHERE id = $1 AND CASE WHEN $8 THEN driver = $2 AND key = $3 AND answer = 'processing' ELSE driver IS NULL END
        FOR UPDATE),
      next AS (
        INSERT INTO server_cursors AS c (driver, cursor) SELECT $2, 1 FROM locked WHERE $6 <> 'processing'
        ON CONFLICT (driver) DO UPDATE SET cursor = c.cursor + 1
        RETURNING cursor),
      changed AS (
        UPDATE server_orders AS o SET
          driver = $2, key = $3, body_hash = $4, begun_at = $5, answer = $6,
          reason = CASE WHEN $6 = 'declined' THEN $7 END, cursor = (SELECT cursor FROM next)
        FROM locked WHERE o.id = locked.id
        RETURNING o.cursor)
      SELECT cursor, CASE WHEN cursor IS NOT NULL THEN pg_notify('\(pushChannel)', left($2, 1000)) END FROM changed
      """)

  static let pushes = Statement(
    name: "pushes",
    sql: """
      SELECT \(columns) FROM unnest($1, $2) AS d (driver, after)
      JOIN server_cursors AS c ON c.driver = d.driver
      JOIN server_orders AS o ON o.driver = d.driver AND o.cursor > greatest(d.after, c.cursor - $3)
      ORDER BY o.driver, o.cursor
      """)

  static let overdue = Statement(
    name: "overdue",
    sql: """
      SELECT id FROM server_orders WHERE answer = 'processing' AND begun_at <= $1 AND begun_at + decided_after <= $1
      ORDER BY begun_at LIMIT 100
      """)
}
