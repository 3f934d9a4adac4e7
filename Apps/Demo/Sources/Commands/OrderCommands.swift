internal import Arguments
internal import OrderTakingPostgres

extension DemoCommand {
  static let order = Command<OrderAction>(
    "order", abstract: "Take orders over an unreliable network, each at most once.",
    discussion: "Exit codes: 0 success, 1 failure, 3 the outcome of an order is unknown, 64 usage, 130 interrupted.",
    examples: [
      CommandExample("demo order take", "Take an order from the embedded server."),
      CommandExample("demo order serve", "Run a server. It prints its address."),
    ]
  ) {
    take
    list
    resume
    status
    work
    serve
    simulate
  }

  private static let take = Command(
    "take", abstract: "Take an order, and show the events of both channels.",
    discussion: """
      Without --server, the command starts an embedded server with a few orders. Without an order, it takes the first open one.

      Failed requests are retried until --timeout. Then the command reports that the order is yours, that it was not taken \
      because no request reached the server, or that the outcome is unknown (exit code 3).

      With --journal, 'demo order resume' finishes an interrupted order with the same idempotency key. With --database, the \
      workers of 'demo order work' do. The tables are created on first use.

      Ctrl-C cancels and reports the outcome. A second Ctrl-C ends the process at once.
      """,
    examples: [
      CommandExample("demo order take", "Take an order from the embedded server."),
      CommandExample("demo order take tour-2 --faults all --seed 7", "Take an order despite simulated faults."),
      CommandExample(
        "demo order take tour-2 --journal takings.sqlite", "Record each step, so that an order survives a crash."),
      CommandExample(
        "demo order take tour-7 --server https://localhost:7000 --ca ca.pem", "Use a server with a private authority."),
    ],
    output: { (order: String?, options: OrderOptions, limit: Seconds) throws(ValidationError) -> OrderAction in
      try OrderOptions.check(limit)
      return .take(order: order, options, within: limit)
    }
  ) {
    Argument<String?>("order", help: "Name of the order; default: the first open order.")
    OrderOptions.group
    OrderOptions.timeout
  }

  private static let list = Command(
    "list", abstract: "List the open orders.",
    examples: [
      CommandExample("demo order list --server http://127.0.0.1:7000", "List the open orders of this server.")
    ],
    output: OrderAction.list
  ) {
    OrderOptions.group
  }

  private static let resume = Command(
    "resume", abstract: "Finish orders that an earlier process left open, with the same idempotency keys.",
    discussion: """
      The command sends a PUT again if the order was started less than two minutes ago. For an older order it only asks the \
      server for the outcome.
      """,
    examples: [
      CommandExample("demo order resume --journal takings.sqlite", "Finish all open orders in the journal.")
    ],
    output: { (options: OrderOptions, limit: Seconds) throws(ValidationError) -> OrderAction in
      try reject(options.journal == nil, "'demo order resume' needs a journal. Add --journal FILE.")
      try OrderOptions.check(limit)
      return OrderAction.resume(options, within: limit)
    }
  ) {
    OrderOptions.group
    OrderOptions.timeout
  }

  private static let status = Command(
    "status", abstract: "Show the orders in the journal, and ask the server for unknown outcomes. Sends no PUT.",
    discussion: "With --database, it shows the workers, the number of their orders, and the orders without a worker.",
    examples: [
      CommandExample("demo order status --journal takings.sqlite", "Show all orders in the journal."),
      CommandExample("demo order status --database postgres://localhost/orders", "Show the workers of a database."),
    ],
    output: { (order: String?, options: OrderOptions, limit: Seconds) throws(ValidationError) -> OrderAction in
      try reject(
        options.journal == nil && options.database == nil, "'demo order status' needs a journal. Add --journal FILE.")
      try reject(
        order != nil && options.database != nil, "'--database' shows the workers. It cannot be used with an order.")
      return OrderAction.status(order: order, options, within: limit)
    }
  ) {
    Argument<String?>("order", help: "Name of the order; default: all orders.")
    OrderOptions.group
    Option<Seconds>("timeout", default: Seconds(10), valueName: "seconds", help: "Time limit for asking the server.")
  }

  private static let work = Command(
    "work", abstract: "Finish the orders of a PostgreSQL database until Ctrl-C.",
    discussion: """
      Each worker takes over orders whose worker has ended, with the same idempotency keys. It owns an order for 30 seconds, \
      and renews this lease every 10 seconds. Any number of processes can work on one database, which belongs to one server.

      Ctrl-C releases the orders, so that other workers continue at once. After a crash they continue when the leases end.
      """,
    examples: [
      CommandExample("demo order work --database postgres://localhost/orders --workers 4", "Run four workers.")
    ],
    output: { (options: OrderOptions, workers: Int) throws(ValidationError) -> OrderAction in
      guard let database = options.database else {
        throw ValidationError("'demo order work' needs a database. Add --database URL.")
      }
      try reject(!(1...64).contains(workers), "'--workers' must be a number from 1 to 64, not \(workers).")
      return OrderAction.work(options, database, workers: workers)
    }
  ) {
    OrderOptions.group
    Option<Int>("workers", default: 1, valueName: "count", help: "Number of workers; 1 to 64.")
  }

  private static let serve = Command(
    "serve", abstract: "Run an order server until Ctrl-C.",
    discussion: """
      Requests need the token of --token. GET /metrics returns counters for Prometheus. The token may send 500 requests and \
      push lines per second, and 1,000 at once. With --database, any number of servers can share the orders.
      """,
    examples: [
      CommandExample(
        "demo order serve --port 7000 --push-port 7001 --faults all",
        "Run a server with simulated faults on fixed ports."),
      CommandExample("demo order serve --tls-cert server.pem --tls-key key.pem", "Use TLS on both ports."),
    ],
    output: ServeOptions.init
  ) {
    Option<UInt16>("port", default: 0, valueName: "number", help: "Port of the HTTP API; 0 for any free port.")
    Option<UInt16>(
      "push-port", default: 0, valueName: "number", help: "Port of the push channel; 0 for any free port.")
    Option<Int>("orders", default: 12, valueName: "count", help: "Number of orders.")
    Option<NonEmptyText?>("state", valueName: "file", help: "Store the orders in this file.", completion: .file)
    Option<DatabaseAddress?>("database", valueName: "url", help: "Store the orders in this PostgreSQL database.")
    Option<String>("token", default: EmbeddedServer.token, valueName: "token", help: "Bearer token of the driver.")
    Option<FaultText?>(
      "faults", valueName: "spec", help: "Faults to simulate: all, or a list such as 503=0.2,lost=0.1.")
    CommonOptions.seed
    Option<NonEmptyText?>(
      "tls-cert", valueName: "file",
      help: "Use TLS on both ports, with this PEM certificate for localhost or 127.0.0.1.", completion: .file)
    Option<NonEmptyText?>(
      "tls-key", valueName: "file", help: "The key of --tls-cert, in PEM, without a passphrase.", completion: .file)
    CommonOptions.json
    CommonOptions.quiet
  }.map(OrderAction.serve)

  private static let simulate = Command(
    "simulate", abstract: "Run many simulations, or one with a readable trace.",
    examples: [CommandExample("demo order simulate --seed 42", "Print the trace of one simulation.")],
    output: SimulateOptions.init
  ) {
    CommonOptions.seed
    Option<Int>(
      "count", default: 1, valueName: "count", help: "Number of simulations. Only a single simulation prints its trace."
    )
    Flag("liveness", help: "Stop the faults after one simulated minute, and check that every operation ends.")
    CommonOptions.json
  }.map(OrderAction.simulate)
}
