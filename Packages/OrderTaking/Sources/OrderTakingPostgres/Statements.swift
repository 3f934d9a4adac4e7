/// A statement of a worker.
///
/// It is sent without a name, so that a pooler in transaction mode can pass it on. Sets of rows are JSON texts. The clock of the database
/// alone decides about leases and due times.
struct Statement: Sendable {
  let sql: String
  /// Whether it has the same effect if it is sent again after its answer was lost.
  let isRepeatable: Bool

  init(_ sql: String, isRepeatable: Bool = false) { (self.sql, self.isRepeatable) = (sql, isRepeatable) }

  static let channel = "order_taking"

  static let listen = Statement("LISTEN \(channel)", isRepeatable: true)
}

// MARK: Times

/// Whether no worker owns an order.
///
/// A lease that would last for more than twice its time has ended: the clock was set back, or another server has become the primary. Small
/// corrections of the clock do not end a lease.
private let isFree = """
  (t.owner IS NULL OR now() NOT BETWEEN t.leased_at - (t.lease_until - t.leased_at) AND t.lease_until)
  """

/// Whether an order has something to do now.
///
/// If its last change is in the future, the clock was set back after it, so the back-off has passed or is unknown.
private let isDue = """
  (t.due_at IS NOT NULL AND (t.due_at <= now() OR t.leased_at > now() + interval '1 minute'))
  """

private func lease(_ parameter: String) -> String {
  "leased_at = now(), lease_until = now() + \(parameter)::bigint * interval '1 microsecond'"
}

// MARK: Claims

extension Statement {
  private static let claimed = "t.fence, t.cancel_requested, t.delivered, t.record"

  /// Claims an order that no other worker owns, also one without a row; a row without a record is a placeholder.
  ///
  /// The sequence makes fences unique, also if the row was removed in between. The fence is read after the row is locked, so that it is
  /// greater than every earlier one.
  static let claim = Statement(
    """
    INSERT INTO takings AS t (driver, order_id, owner, fence, leased_at, lease_until)
    VALUES ($2, $3, $1, nextval('takings_fence'), now(), now() + $4::bigint * interval '1 microsecond')
    ON CONFLICT (driver, order_id) DO UPDATE SET
      owner = excluded.owner, fence = nextval('takings_fence'), leased_at = excluded.leased_at,
      lease_until = excluded.lease_until
    WHERE \(isFree) OR t.owner = excluded.owner
    RETURNING \(claimed)
    """, isRepeatable: true)

  /// Raises the fence of an order that this worker owns.
  static let claimOwned = Statement(
    """
    UPDATE takings AS t SET fence = nextval('takings_fence'), \(lease("$4"))
    WHERE t.driver = $2 AND t.order_id = $3 AND t.owner = $1
    RETURNING \(claimed)
    """, isRepeatable: true)

  /// Claims due orders of a driver, except for the listed ones, which this worker owns.
  static let claimDue = Statement(
    """
    WITH due AS (
      SELECT t.ctid FROM takings AS t
      WHERE t.driver = $2 AND \(isDue) AND \(isFree)
        AND t.order_id <> ALL (ARRAY(SELECT json_array_elements_text($5::json)))
      ORDER BY t.due_at, t.begun_at LIMIT $4::bigint FOR UPDATE SKIP LOCKED)
    UPDATE takings AS t SET owner = $1, fence = nextval('takings_fence'), \(lease("$3"))
    WHERE t.ctid = ANY (ARRAY(SELECT ctid FROM due))
    RETURNING \(claimed), t.order_id
    """)

  /// Keeps the orders that this worker still owns.
  static let renew = Statement(
    """
    UPDATE takings AS t SET \(lease("$2"))
    FROM json_to_recordset($3::json) AS w (driver text, "order" text)
    WHERE t.driver = w.driver AND t.order_id = w."order" AND t.owner = $1
    RETURNING t.driver, t.order_id, t.cancel_requested
    """, isRepeatable: true)

  // MARK: Changes

  /// Writes, acknowledges and releases orders, each only with the fence of its last claim.
  ///
  /// The result has each changed order. Released placeholders are removed. A release notifies the workers that wait for the order.
  static let change = Statement(
    """
    WITH w AS (
      SELECT w.*, kind = 'write' AS writes, kind = 'acknowledge' AS delivers, kind = 'release' AS releases,
        CASE delay WHEN 0 THEN timestamptz 'epoch' ELSE now() + delay * interval '1 microsecond' END AS due_at
      FROM json_to_recordset($3::json) AS w (
        driver text, "order" text, fence bigint, kind text, state text, begun bigint, delay bigint, delivered boolean,
        record text)),
    removed AS (
      DELETE FROM takings AS t USING w
      WHERE t.driver = w.driver AND t.order_id = w."order" AND t.fence = w.fence AND t.owner = $1
        AND w.releases AND t.record IS NULL
      RETURNING t.driver, t.order_id, true AS released, t.due_at),
    changed AS (
      UPDATE takings AS t SET
        state = CASE WHEN w.writes THEN w.state ELSE t.state END,
        begun_at = CASE WHEN w.writes THEN timestamptz 'epoch' + w.begun * interval '1 microsecond' ELSE t.begun_at END,
        due_at = CASE WHEN w.writes OR w.delivers AND t.record = w.record THEN w.due_at ELSE t.due_at END,
        delivered = CASE WHEN w.writes THEN w.delivered ELSE t.delivered OR (w.delivers AND t.record = w.record) IS TRUE END,
        record = CASE WHEN w.writes THEN w.record ELSE t.record END,
        cancel_requested = t.cancel_requested AND (w.state = 'unfinished' OR NOT w.writes),
        owner = CASE WHEN NOT w.releases THEN t.owner END,
        leased_at = now(),
        lease_until = now() + CASE WHEN w.releases THEN 0 ELSE $2::bigint END * interval '1 microsecond'
      FROM w
      WHERE t.driver = w.driver AND t.order_id = w."order" AND t.fence = w.fence AND t.owner = $1
        AND NOT (w.releases AND t.record IS NULL)
      RETURNING t.driver, t.order_id, w.releases, t.due_at)
    SELECT driver, order_id, CASE WHEN released THEN pg_notify('\(channel)', concat(
      CASE WHEN due_at <= now() THEN 'due ' ELSE 'released ' END, driver, '/', order_id))::text END
    FROM (SELECT * FROM removed UNION ALL SELECT * FROM changed) AS done
    """)

  static let requestCancel = Statement(
    """
    WITH marked AS (
      UPDATE takings SET cancel_requested = true
      WHERE driver = $1 AND order_id = $2 AND coalesce(state, 'unfinished') = 'unfinished'
      RETURNING driver, order_id)
    SELECT pg_notify('\(channel)', concat('cancel ', driver, '/', order_id)) FROM marked
    """, isRepeatable: true)

  /// Removes old records that were delivered, and placeholders of workers that have ended, which begin at the epoch.
  static let remove = Statement(
    """
    WITH old AS (
      SELECT t.ctid FROM takings AS t
      WHERE t.due_at IS NULL AND \(isFree)
        AND t.begun_at < coalesce(now() - $1::bigint * interval '1 microsecond', timestamptz 'epoch' + interval '1 second')
        AND (t.record IS NULL OR $1 IS NOT NULL)
      ORDER BY t.begun_at LIMIT $2::bigint FOR UPDATE SKIP LOCKED)
    DELETE FROM takings WHERE ctid = ANY (ARRAY(SELECT ctid FROM old)) RETURNING 1
    """)

  // MARK: Reads

  /// Reads one entry of the index for each driver, and the entries of orders that are not due or owned.
  static let dueDrivers = Statement(
    """
    WITH RECURSIVE drivers AS (
      (SELECT driver FROM takings WHERE due_at IS NOT NULL ORDER BY driver LIMIT 1)
      UNION ALL
      SELECT (SELECT t.driver FROM takings AS t WHERE t.due_at IS NOT NULL AND t.driver > d.driver ORDER BY t.driver LIMIT 1)
      FROM drivers AS d WHERE d.driver IS NOT NULL)
    SELECT d.driver FROM drivers AS d
    WHERE EXISTS (SELECT FROM takings AS t WHERE t.driver = d.driver AND \(isDue) AND \(isFree)) ORDER BY d.driver
    """, isRepeatable: true)

  static let list = Statement(
    """
    SELECT t.driver, t.order_id, t.record, t.delivered, CASE WHEN NOT \(isFree) THEN t.owner END
    FROM takings AS t
    WHERE t.record IS NOT NULL
      AND ($1::json IS NULL OR t.state = ANY (ARRAY(SELECT json_array_elements_text($1::json))))
      AND ($2::text IS NULL OR t.driver = $2) AND ($3::text IS NULL OR t.order_id = $3)
      AND ($4::text IS NULL OR (t.driver, t.order_id) > ($4, $5::text))
    ORDER BY t.driver, t.order_id LIMIT $6::bigint
    """, isRepeatable: true)

  /// An index contains the states of ended orders, so their rows are not read.
  static let summary = Statement(
    """
    SELECT 'state', state, count(*), NULL::bigint FROM takings WHERE due_at IS NULL AND state IS NOT NULL GROUP BY state
    UNION ALL
    SELECT 'state', state, count(*), NULL FROM takings WHERE due_at IS NOT NULL GROUP BY state
    UNION ALL
    SELECT 'owner', owner, count(*), NULL FROM takings AS t WHERE due_at IS NOT NULL AND NOT \(isFree) GROUP BY owner
    UNION ALL
    SELECT 'due', NULL, count(*), (extract(epoch FROM now() - min(greatest(begun_at, due_at))) * 1000000)::bigint
    FROM takings AS t WHERE \(isDue) AND \(isFree)
    """, isRepeatable: true)
}
