internal import OrderTaking

// The statements about push channels. Only the database's clock decides about leases.

extension Statement {
  /// A renewal keeps the fence.
  ///
  /// Rows are locked in the order of the drivers, so that the claims of two workers cannot deadlock.
  static let claimDrivers = Statement(
    name: "",
    sql: """
      WITH wanted AS (
        SELECT driver, fence, now() + $2 * interval '1 microsecond' AS lease_end
        FROM unnest($3, $4) AS w (driver, fence)),
      locked AS (
        SELECT d.driver FROM taking_drivers AS d JOIN wanted AS w ON w.driver = d.driver
        WHERE d.owner = $1 OR d.lease_until <= now() ORDER BY d.driver FOR UPDATE OF d),
      claimed AS (
        UPDATE taking_drivers AS d SET owner = $1, lease_until = w.lease_end,
          fence = CASE WHEN d.owner = $1 AND d.fence = w.fence THEN d.fence ELSE nextval('takings_fence') END
        FROM locked AS l JOIN wanted AS w ON w.driver = l.driver
        WHERE d.driver = l.driver AND (d.owner = $1 OR d.lease_until <= now())
        RETURNING d.driver, d.fence, d.epoch, d.cursor),
      added AS (
        INSERT INTO taking_drivers AS d (driver, owner, fence, lease_until)
        SELECT w.driver, $1, nextval('takings_fence'), w.lease_end FROM wanted AS w
        WHERE NOT EXISTS (SELECT FROM taking_drivers AS d WHERE d.driver = w.driver) ORDER BY w.driver
        ON CONFLICT DO NOTHING
        RETURNING d.driver, d.fence, d.epoch, d.cursor)
      SELECT * FROM claimed UNION ALL SELECT * FROM added
      """)

  /// Returns no row if the fence is old, and otherwise whether the order has a record.
  static let storePush = Statement(
    name: "store_push",
    sql: """
      WITH owned AS (
        UPDATE taking_drivers AS d SET
          epoch = CASE WHEN $5 THEN $6 ELSE d.epoch END, cursor = CASE WHEN $5 THEN $7 ELSE d.cursor END,
          lease_until = now() + $2 * interval '1 microsecond'
        WHERE d.driver = $3 AND d.fence = $4 AND d.owner = $1
        RETURNING d.driver),
      pushed AS (
        UPDATE takings AS t SET push_key = t.key, push_reason = CASE WHEN $10 THEN $11 END
        FROM owned WHERE t.driver = owned.driver AND t.order_id = $8 AND (t.key = $9 OR $9 = '')
        RETURNING t.order_id)
      SELECT EXISTS (SELECT FROM pushed) FROM owned
      """)

  static let driverPermissions = Statement(
    name: "",
    sql: """
      SELECT has_table_privilege('taking_drivers', 'SELECT') AND has_table_privilege('taking_drivers', 'INSERT')
        AND has_table_privilege('taking_drivers', 'UPDATE'), quote_ident(current_user)
      """)

  /// Raises the fence, so that a push that is stored later does not renew the lease.
  static let releaseDriver = Statement(
    name: "release_driver",
    sql: """
      UPDATE taking_drivers SET lease_until = now(), fence = nextval('takings_fence')
      WHERE owner = $1 AND driver = $2 AND fence = $3 RETURNING 1
      """)
}

struct StoredPush: Equatable, Sendable {
  let key: IdempotencyKey
  let result: TakingResult

  /// The columns for a push to an undecided order, `NULL` for other orders.
  static let columns = """
    CASE WHEN t.push_key = t.key AND t.change IN ('begun', 'acknowledged', 'ended unknown') THEN t.push_key END, \
    t.push_reason
    """

  init(key: IdempotencyKey, result: TakingResult) { (self.key, self.result) = (key, result) }

  init?(_ row: Row, from first: Int) {
    guard let key = row.text(first).flatMap({ IdempotencyKey($0) }) else { return nil }
    self.init(key: key, result: row.text(first + 1).map { .declined($0) } ?? .accepted)
  }
}
