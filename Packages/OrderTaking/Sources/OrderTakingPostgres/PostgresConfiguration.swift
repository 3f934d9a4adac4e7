/// The address of a database, and the limits of its use.
///
/// ```swift
/// var configuration = PostgresConfiguration("postgres://backend@db.example/orders?sslmode=verify-full")
/// configuration.lease = .seconds(60)
/// ```
///
/// Do not put a password into the connection string: use a password file, `PGPASSFILE` or a client certificate. Error messages contain
/// neither the connection string nor the password.
public struct PostgresConfiguration: Hashable, Sendable {
  /// The connection string as libpq has it: a URI, or pairs such as `host=db.example dbname=orders`.
  ///
  /// The environment variables `PGHOST`, `PGSSLMODE` and so on, and the password file, add what it does not contain. To fail over
  /// between hosts, name several, with `target_session_attrs=read-write`.
  public var connection: String

  /// The maximum number of connections for statements, at least 1.
  ///
  /// One more connection receives notifications. While the server cancels statements that exceeded their time limit, the pool can have
  /// one more.
  public var poolSize = 4

  /// The time for which a worker owns an order, or the push channel of a driver, without renewing the lease, at least 0.1 seconds.
  ///
  /// A worker renews its leases each third of this time.
  public var lease = Duration.seconds(30)

  /// The time between two attempts to claim an order that another worker owns, and between two calls of `wake`; at least 0.01 seconds.
  ///
  /// Notifications make most waits shorter.
  public var claimInterval = Duration.seconds(1)

  /// The maximum time of a wait for an order that another worker owns.
  public var claimTimeLimit = Duration.seconds(300)

  /// The maximum number of orders that one call of `openRecords` claims.
  public var claimCount = 256

  /// The maximum time of a statement, and of its wait for a connection.
  ///
  /// If a statement takes longer, it is cancelled and its connection is closed. Then the outcome of a write is unknown.
  public var statementTimeLimit = Duration.seconds(10)

  /// The maximum time of connecting to the server.
  ///
  /// Several hosts share it in equal parts. If a host does not answer in its part, the next attempt begins with the next host. A shorter
  /// `connect_timeout` in the connection string limits the time for each host.
  public var connectTimeLimit = Duration.seconds(10)

  public init(_ connection: String = "") {
    self.connection = connection
  }
}
