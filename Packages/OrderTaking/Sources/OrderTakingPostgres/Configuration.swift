internal import CPostgres

/// The address of a database, and the limits of its use.
///
/// ```swift
/// var configuration = PostgresConfiguration("postgres://backend@db.example/orders?sslmode=verify-full")
/// configuration.lease = .seconds(60)
/// ```
///
/// Do not put a password into the connection string: use a password file, `PGPASSFILE` or a client certificate.
public struct PostgresConfiguration: Hashable, Sendable {
  /// The connection string of libpq: a URI, or pairs such as `host=db.example dbname=orders`.
  ///
  /// libpq adds the environment variables such as `PGHOST`, and the password file. Without a `connect_timeout`, the limit for each host
  /// is 10 seconds.
  public var connection: String

  /// The maximum number of connections for statements, at least 1; notifications need another one.
  public var poolSize = 4

  /// The time for which a worker owns an order without renewing the lease, at least 0.1 seconds.
  public var lease = Duration.seconds(30)

  /// The maximum time between two attempts to claim an order that another worker owns, at least 0.01 seconds.
  public var claimInterval = Duration.seconds(1)

  /// The maximum time of a wait for an order that another worker owns.
  public var claimTimeLimit = Duration.seconds(300)

  /// The maximum number of orders that one call of `dueRecords` claims.
  ///
  /// An `OrderWorker` claims at most `WorkerPolicy.batch`.
  public var claimCount = 32

  /// The maximum time of a statement, including its wait for a connection.
  ///
  /// A statement that takes longer is cancelled, and then the outcome of a write is unknown.
  public var statementTimeLimit = Duration.seconds(10)

  public init(_ connection: String = "") {
    self.connection = connection
  }
}

extension PostgresConfiguration {
  /// Whether libpq would take a part of the connection string for something else, or cannot parse it.
  ///
  /// It is never passed to libpq, whose messages would contain parts of it, for example the password.
  var isMalformed: Bool {
    let text = Array(connection.utf8)
    if let scheme = ["postgres://", "postgresql://"].first(where: { text.starts(with: $0.utf8) }) {
      // libpq ends the user and the password at the first @ that precedes each /.
      var address = text.dropFirst(scheme.utf8.count)
      if let end = address.firstIndex(where: { [UInt8(ascii: "@"), UInt8(ascii: "/")].contains($0) }),
        address[end] == UInt8(ascii: "@")
      {
        address = address[(end + 1)...]
      }
      if address.prefix(while: { $0 != UInt8(ascii: "?") }).contains(UInt8(ascii: "@")) { return true }
    } else if !text.contains(UInt8(ascii: "=")) {
      // libpq takes it as the name of a database.
      return text.contains(UInt8(ascii: "@")) || text.contains(UInt8(ascii: ":"))
    }
    let options = PQconninfoParse(connection, nil)
    defer { PQconninfoFree(options) }
    return options == nil
  }

  /// The parameters of libpq.
  ///
  /// A later parameter replaces an earlier one.
  var parameters: [(keyword: String, value: String)] {
    let limit = "\(max(1, statementTimeLimit.microseconds / 1_000))"
    return [
      ("connect_timeout", "10"), ("tcp_user_timeout", limit), ("keepalives_idle", "15"), ("keepalives_interval", "5"),
      ("keepalives_count", "3"), ("dbname", connection), ("client_encoding", "UTF8"),
      ("fallback_application_name", "OrderTaking"),
    ]
  }
}

extension Duration {
  /// Whole microseconds.
  var microseconds: Int64 {
    let (seconds, attoseconds) = components
    return max(-.limit, min(.limit, seconds)) * 1_000_000 + attoseconds / 1_000_000_000_000
  }
}

extension Int64 {
  /// The seconds of a thousand years, which the database can add to its time.
  fileprivate static let limit: Int64 = 31_557_600_000
}
