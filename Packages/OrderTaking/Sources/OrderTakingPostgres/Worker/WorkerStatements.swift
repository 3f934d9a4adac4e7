// The statements of a worker. Only the database's clock decides about leases.
//
// Only statements whose plan does not depend on the size of the table are prepared. The others are planned for each execution. Otherwise,
// a session would keep reading the whole table because it was small at the first executions.

extension Statement {
  /// `due_at` changes only when less than half of the lease is left, so that most renewals update no index.
  private static func renewed(_ parameter: String) -> String {
    let end = "now() + \(parameter) * interval '1 microsecond'"
    return """
      lease_until = \(end), due_at = CASE
        WHEN t.due_at BETWEEN now() + \(parameter) * interval '0.5 microsecond' AND \(end) THEN t.due_at ELSE \(end) END
      """
  }

  /// The fence is read after the row is locked, so that it is greater than every earlier one.
  package static let claim = Statement(
    name: "claim",
    sql: """
      INSERT INTO takings AS t (driver, order_id, owner, fence, lease_until, due_at)
      SELECT $2, $3, $1, nextval('takings_fence'), lease_end, lease_end
      FROM (SELECT now() + $4 * interval '1 microsecond' AS lease_end) AS lease
      ON CONFLICT (driver, order_id) DO UPDATE SET
        owner = excluded.owner, fence = nextval('takings_fence'), lease_until = excluded.lease_until,
        due_at = least(t.due_at, excluded.lease_until)
      WHERE t.owner IS NULL OR t.owner = excluded.owner OR t.lease_until <= now()
      RETURNING t.fence, t.cancel_requested, \(TakingRow.columns), \(StoredPush.columns)
      """)

  static let claimOwned = Statement(
    name: "",
    sql: """
      UPDATE takings AS t SET fence = nextval('takings_fence'), \(renewed("$4"))
      WHERE t.driver = $2 AND t.order_id = $3 AND t.owner = $1
      RETURNING t.fence, t.cancel_requested, \(TakingRow.columns), \(StoredPush.columns)
      """)

  /// An order without an owner is due since its release.
  ///
  /// The claim leaves `due_at` in the past; the next renewal or write changes it.
  package static let claimDue = Statement(
    name: "",
    sql: """
      WITH due AS (
        SELECT ctid FROM takings
        WHERE driver = $2 AND delivered_at IS NULL AND key IS NOT NULL
          AND due_at <= now() AND lease_until <= now() AND order_id <> ALL ($5)
        ORDER BY due_at LIMIT $4 FOR UPDATE SKIP LOCKED)
      UPDATE takings AS t SET owner = $1, fence = nextval('takings_fence'), lease_until = now() + $3 * interval '1 microsecond'
      WHERE t.ctid = ANY (ARRAY(SELECT ctid FROM due))
      RETURNING t.order_id, t.fence, t.cancel_requested, \(TakingRow.columns), \(StoredPush.columns)
      """)

  static let dueDrivers = Statement(
    name: "",
    sql: """
      SELECT DISTINCT driver FROM takings
      WHERE delivered_at IS NULL AND key IS NOT NULL AND due_at <= now() AND lease_until <= now() ORDER BY driver
      """)

  package static let write = Statement(
    name: "",
    sql: """
      UPDATE takings AS t SET
        key = w.key, body = w.body, change = w.change, detail = w.detail, begun_at = w.begun_at, put_at = w.put_at,
        put_uptime = w.put_uptime, boot = w.boot, delivered_at = CASE WHEN w.delivered THEN now() END,
        cancel_requested = t.cancel_requested AND (t.key IS NULL OR t.key = w.key) AND w.change NOT LIKE 'ended%',
        \(renewed("$2"))
      FROM unnest($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) AS w (
        driver, order_id, fence, key, body, change, detail, begun_at, put_at, put_uptime, boot, delivered)
      WHERE t.driver = w.driver AND t.order_id = w.order_id AND t.fence = w.fence AND t.owner = $1
      RETURNING t.driver, t.order_id
      """)

  /// A released placeholder is removed.
  ///
  /// The result has each order, and whether it was released and is due.
  package static let acknowledge = Statement(
    name: "",
    sql: """
      WITH w AS (
        SELECT * FROM unnest($2, $3, $4, $5, $6, $7, $8) AS w (driver, order_id, fence, key, change, detail, released)),
      removed AS (
        DELETE FROM takings AS t USING w
        WHERE t.driver = w.driver AND t.order_id = w.order_id AND t.fence = w.fence AND t.owner = $1
          AND t.key IS NULL AND w.released
        RETURNING t.driver, t.order_id, w.released, false AS is_due),
      changed AS (
        UPDATE takings AS t SET
          delivered_at = CASE
            WHEN t.key = w.key AND t.change = w.change AND t.detail = w.detail THEN coalesce(t.delivered_at, now())
            ELSE t.delivered_at END,
          owner = CASE WHEN w.released THEN NULL ELSE t.owner END,
          lease_until = CASE WHEN w.released THEN now() ELSE t.lease_until END,
          due_at = CASE WHEN w.released THEN now() ELSE t.due_at END
        FROM w
        WHERE t.driver = w.driver AND t.order_id = w.order_id AND t.fence = w.fence AND t.owner = $1
          AND (t.key IS NOT NULL OR NOT w.released)
        RETURNING t.driver, t.order_id, w.released, w.released AND t.delivered_at IS NULL)
      SELECT driver, order_id, released, is_due FROM (SELECT * FROM removed UNION ALL SELECT * FROM changed) AS done
      """)

  /// PostgreSQL serializes the commits of transactions that notify.
  ///
  /// A notification is its own transaction without changes, so it does not wait for the disk. The commits of releases
  /// can then share a wait.
  package static let notify = Statement(
    name: "notify",
    sql: "SELECT pg_notify('\(Notification.channel)', payload) FROM unnest($1) AS payloads (payload)")

  package static let renew = Statement(
    name: "",
    sql: """
      UPDATE takings AS t SET \(renewed("$2"))
      FROM unnest($3, $4, $5) AS w (driver, order_id, fence)
      WHERE t.driver = w.driver AND t.order_id = w.order_id AND t.fence = w.fence AND t.owner = $1
      RETURNING t.driver, t.order_id, t.cancel_requested, \(StoredPush.columns)
      """)

  static let cancel = Statement(
    name: "",
    sql: """
      WITH marked AS (
        UPDATE takings SET cancel_requested = true WHERE driver = $1 AND order_id = $2 AND change NOT LIKE 'ended%'
        RETURNING owner)
      SELECT pg_notify('\(Notification.channel)', 'cancel ' || coalesce(owner, '')) FROM marked
      """)

  static let remove = Statement(
    name: "",
    sql: """
      WITH old AS (
        SELECT driver, order_id FROM takings
        WHERE is_removable AND begun_at < (extract(epoch FROM now()) * 1000000000)::bigint - $1
          AND (owner IS NULL OR lease_until <= now())
        ORDER BY begun_at LIMIT $2 FOR UPDATE SKIP LOCKED),
      empty AS (
        SELECT driver, order_id FROM takings
        WHERE key IS NULL AND due_at <= now() AND lease_until <= now() LIMIT $2 FOR UPDATE SKIP LOCKED)
      DELETE FROM takings AS t USING (SELECT * FROM old UNION SELECT * FROM empty) AS gone
      WHERE t.driver = gone.driver AND t.order_id = gone.order_id
      RETURNING 1
      """)
}

/// A notification of workers: a hint that makes a wait shorter.
enum Notification {
  static let channel = "order_taking"

  case released(prefix: String)
  case due
  /// The worker should look for requested cancellations.
  case cancel(worker: String)
  case pushed(TakingID)
  case driverReleased

  /// Returns the beginning of an order's text, because a payload has less than 8,000 bytes.
  static func prefix(of order: String) -> String { String(order.unicodeScalars.prefix(length)) }

  static func isWhole(_ prefix: String) -> Bool { prefix.unicodeScalars.count < length }

  private static let length = 200

  private static let separator: Character = "\u{1F}"

  var payload: String {
    switch self {
    case .released(let prefix): "released \(prefix)"
    case .due: "due"
    case .cancel(let worker): "cancel \(worker)"
    case .pushed(let id): "pushed \(Self.prefix(of: id.driver))\(Self.separator)\(Self.prefix(of: id.order))"
    case .driverReleased: "driver"
    }
  }

  init?(_ payload: String) {
    let end = payload.firstIndex(of: " ") ?? payload.endIndex
    let rest = String(payload[end...].dropFirst())
    switch payload[..<end] {
    case "released": self = .released(prefix: rest)
    case "due": self = .due
    case "cancel": self = .cancel(worker: rest)
    case "pushed":
      let texts = rest.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard texts.count == 2 else { return nil }
      self = .pushed(TakingID(driver: texts[0], order: texts[1]))
    case "driver": self = .driverReleased
    default: return nil
    }
  }
}
