internal import Arguments

extension DemoCommand {
  static let order = Command(
    "order", abstract: "Take orders over an unreliable network, each at most once.",
    examples: [
      CommandExample("demo order take", "Take an order from the embedded server."),
      CommandExample("demo order serve", "Run a server. It prints its address."),
    ]
  ) {
    Command(
      "take",
      abstract: "Take an order, and show the events of both channels.",
      discussion: """
        Without --server, the command starts an embedded server with a few orders. With --journal, that server stores its \
        orders in FILE.server. Without an order, the command takes the first open order.

        Failed requests are retried until --timeout. Then the command reports that the order is yours, that it was not taken \
        because no request reached the server, or that the outcome is unknown.

        With --database, the journal and the embedded server are in PostgreSQL. If another process takes the same order, the \
        command waits for it and continues from its last step. Workers finish the order if this process ends; see 'demo order work'.

        Ctrl-C cancels and reports the outcome. If another worker owns the order, it requests that worker to cancel it, and \
        waits two seconds for the outcome. A second Ctrl-C ends the process at once. With --journal, 'demo order resume' \
        finishes an interrupted order. A journal belongs to one server and cannot be used with another.

        \(ExitReason.table(
          .unreachable, .status, .malformedList, .timedOut, .cannotListen, .declined, .rejected, .unknown, .notSent, .key,
          .journal, .lostRecords))
        """,
      examples: [
        CommandExample("demo order take", "Take an order from the embedded server."),
        CommandExample("demo order take tour-2 --faults all --seed 7", "Take an order despite simulated faults."),
        CommandExample(
          "demo order take tour-2 --journal takings.sqlite", "Record each step, so that an order survives a crash."),
        CommandExample(
          "demo order take tour-7 --server http://127.0.0.1:7000 --timeout 5", "Set a time limit of five seconds."),
        CommandExample(
          "demo order take tour-1 --database postgres://localhost/orders",
          "Share the order with the workers of a database."),
        CommandExample(
          "demo order take tour-7 --server https://localhost:7000 --ca ca.pem", "Use a server with a private authority."
        ),
      ],
      output: OrderAction.taking
    ) {
      Argument<String?>("order", help: "Name of the order; default: the first open order.")
      OrderOptions.declarations(journal: "Record each step in this file, so that an order survives a crash.")
      DatabaseAddress.option
      TakingTimeLimit.option
    }
    Command(
      "list", abstract: "List the open orders.",
      discussion: "The list has at most 10000 orders. Each page of it has a time limit of 10 seconds.\n\n"
        + ExitReason.table(
          .unreachable, .status, .malformedList, .timedOut, .cannotListen, .journal, .lostRecords),
      examples: [
        CommandExample("demo order list --server http://127.0.0.1:7000", "List the open orders of this server.")
      ],
      output: OrderAction.listing
    ) {
      OrderOptions.listDeclarations
      Option<DatabaseAddress?>(
        "database", valueName: "url",
        help: "List the open orders that servers have stored in this PostgreSQL database. Needs only read permission.")
    }
    Command(
      "resume",
      abstract: "Finish orders that an earlier process left open, with the same idempotency keys.",
      discussion: """
        The command sends a PUT again if the order was started less than two minutes ago. For an older order it only asks the \
        server for the outcome. To take an older order, use 'demo order take' with the same journal. While the outcome is \
        unknown, it uses the same idempotency key.

        \(ExitReason.table(
          .cannotListen, .declined, .rejected, .unknown, .notSent, .key, .journal, .lostRecords))
        """,
      examples: [
        CommandExample("demo order resume --journal takings.sqlite", "Finish all open orders in the journal.")
      ],
      output: OrderAction.resume
    ) {
      OrderOptions.declarations(journal: "The journal.")
      TakingTimeLimit.option
    }
    Command(
      "status",
      abstract: "Show the orders in the journal, and ask the server for unknown outcomes. Sends no PUT.",
      discussion: """
        While another process uses the journal, or if the journal cannot be written, the command shows its records without \
        asking the server.

        With --database, the command shows each worker with the number of its orders and the end of its first lease. It also \
        shows the number of orders without a worker, and how long the first has been due.

        \(ExitReason.table(.cannotListen, .unknown, .notSent, .journal, .lostRecords))
        """,
      examples: [
        CommandExample("demo order status --journal takings.sqlite", "Show all orders in the journal."),
        CommandExample("demo order status --database postgres://localhost/orders", "Show the workers of a database."),
      ],
      output: OrderAction.showing
    ) {
      Argument<String?>("order", help: "Name of the order; default: all orders.")
      OrderOptions.declarations(journal: "The journal.")
      DatabaseAddress.statusOption
      Option<Seconds>(
        "timeout", default: Seconds(10), valueName: "seconds", help: "Time limit for asking the server.")
    }
    Command(
      "repair",
      abstract: "Show whether a journal has lost records, acknowledge the loss, or assign the journal to a server.",
      discussion: """
        Opening a damaged journal moves the file aside and copies its readable records into a new one. If records are lost, \
        each command that uses the journal reports it, with exit code 26 if nothing else fails, until you acknowledge it with \
        --acknowledge-loss. Take the lost orders again before that. The server returns the earlier result of an order that it \
        has already processed.

        \(ExitReason.table(.journal, .lostRecords))
        """,
      examples: [
        CommandExample(
          "demo order repair --journal takings.sqlite", "Show the number of records, and the loss if there is one."),
        CommandExample(
          "demo order repair --journal takings.sqlite --acknowledge-loss", "Stop reporting the loss."),
        CommandExample(
          "demo order repair --journal takings.sqlite --rebind --server http://127.0.0.1:7000",
          "Assign the journal to a server that has moved."),
      ],
      output: OrderAction.repair
    ) {
      OrderOptions.repairDeclarations
      Flag("acknowledge-loss", help: "Stop reporting the records that are lost.")
      Flag("rebind", help: "Assign the journal to the server given with --server, or to the embedded server.")
    }
    Command(
      "migrate",
      abstract: "Create or update the tables of a PostgreSQL database.",
      discussion: """
        Run it once before the workers and servers of a new release. It does nothing if the tables are up to date.

        \(ExitReason.table(.journal))
        """,
      examples: [
        CommandExample("demo order migrate --database postgres://localhost/orders", "Prepare a database.")
      ],
      output: OrderAction.migrating
    ) {
      DatabaseAddress.requiredOption
      CommonOptions.json
    }
    Command(
      "work",
      abstract: "Finish the orders of a PostgreSQL database until Ctrl-C.",
      discussion: """
        Each worker takes over orders whose worker has ended, with the same idempotency keys. It owns an order for 30 seconds, and \
        renews this lease every 10 seconds. Any number of processes can work on one database, which belongs to one server.

        Ctrl-C releases the orders, so that other workers continue at once. The exit code is then 130. After a crash they continue when the leases end.

        With --push, only one worker connects to the push channel. It stores the pushes, and the workers that own the orders \
        get them from the database.

        An order that was started more than two minutes ago is not sent again: the worker asks the server for the outcome.

        \(ExitReason.table(.cannotListen, .journal))
        """,
      examples: [
        CommandExample("demo order work --database postgres://localhost/orders --workers 4", "Run four workers.")
      ],
      output: OrderAction.working
    ) {
      DatabaseAddress.requiredOption
      OrderAction.workersOption
      OrderOptions.workingDeclarations
    }
    Command(
      "serve",
      abstract: "Run an order server until Ctrl-C.",
      discussion: """
        Ctrl-C stops the server. The exit code is then 130, as for other commands.

        With --database, any number of servers can share the orders. Any of them can serve any driver.

        Requests need the token of --token. GET /metrics returns counters for Prometheus. The token may send 500 requests and \
        push lines per second and 1,000 at once, all clients of this machine twice as many. Requests beyond these limits get \
        status 429.

        \(ExitReason.table(.journal, .cannotListen))
        """,
      examples: [
        CommandExample(
          "demo order serve --port 7000 --push-port 7001 --faults all",
          "Run a server with simulated faults on fixed ports."),
        CommandExample(
          "demo order serve --database postgres://localhost/orders", "Share the orders with other servers."),
        CommandExample("demo order serve --tls-cert server.pem --tls-key key.pem", "Use TLS on both ports."),
      ],
      output: ServeOptions.init
    ) {
      Option<Port>("port", default: .anyFree, valueName: "number", help: "Port of the HTTP API; 0 for any free port.")
      Option<Port>(
        "push-port", default: .anyFree, valueName: "number", help: "Port of the push channel; 0 for any free port.")
      Option<Int>("orders", default: 12, valueName: "count", help: "Number of orders.")
      Option<FilePath?>("state", valueName: "file", help: "Store the orders in this file.", completion: .file)
      Option<DatabaseAddress?>("database", valueName: "url", help: "Store the orders in this PostgreSQL database.")
      Option<String>("token", default: EmbeddedServer.token, valueName: "token", help: "Bearer token of the driver.")
      Option<FaultText?>(
        "faults", valueName: "spec", help: "Faults to simulate: all, or a list such as 503=0.2,lost=0.1.")
      CommonOptions.seed
      Option<FilePath?>(
        "tls-cert", valueName: "file",
        help: "Use TLS on both ports, with this PEM certificate for localhost or 127.0.0.1.",
        completion: .file)
      Option<FilePath?>(
        "tls-key", valueName: "file", help: "The key of --tls-cert, in PEM, without a passphrase.", completion: .file)
      Option<FilePath?>(
        "client-ca", valueName: "file",
        help: "With --tls-cert: accept only client certificates of the authorities in this PEM file.", completion: .file
      )
      Option<FilePath?>(
        "audit-log", valueName: "file",
        help: "Append a line of JSON to this file for each request to take an order, and for each later decision.",
        completion: .file)
      CommonOptions.json
      CommonOptions.quiet
    }.map(OrderAction.serve)
    Command(
      "simulate",
      abstract: "Run many simulations, or one with a readable trace.",
      discussion: ExitReason.table(.violation),
      examples: [CommandExample("demo order simulate --seed 42", "Print the trace of one simulation.")],
      output: SimulateOptions.init
    ) {
      CommonOptions.seed
      Option<Int>(
        "count", default: 1, valueName: "count",
        help: "Number of simulations. Only a single simulation prints its trace.")
      Flag("liveness", help: "Stop the faults after one simulated minute, and check that every operation ends.")
      CommonOptions.json
    }.map(OrderAction.simulate)
  }
}
