internal import Arguments

extension DemoCommand {
  static let order = Command(
    "order", abstract: "Take orders over an unreliable network, once, and never lose one.",
    examples: [
      CommandExample("demo order take", "Take an order from the embedded server."),
      CommandExample("demo order serve", "Run a server of one's own; it says how to reach it."),
    ]
  ) {
    Command(
      "take",
      abstract: "Take an order, and show what happens on both channels.",
      discussion: """
        Without --server, a server with a few orders is started on this machine for the time of the command; with \
        --journal it remembers who has which order in a file beside that. Without an order the first open one is taken.

        What fails is tried again until --timeout. What is known then is told: that the order is yours, that it is not since no \
        server can have heard of it, or that it may be yours.

        Ctrl-C once cancels, and says what is known; twice ends the process at once. With --journal, 'demo order resume' \
        finishes what either has left. A journal is for one server: it refuses another one.

        \(ExitReason.table(
          .unreachable, .status, .malformedList, .timedOut, .cannotListen, .declined, .rejected, .unknown, .notSent, .key,
          .journal))
        """,
      examples: [
        CommandExample("demo order take", "Take an order from the embedded server."),
        CommandExample("demo order take tour-2 --faults all --seed 7", "See how failures are dealt with."),
        CommandExample("demo order take tour-2 --journal takings.sqlite", "Survive a crash."),
        CommandExample("demo order take 7 --server http://127.0.0.1:7000 --timeout 5", "Take five seconds at most."),
      ],
      output: OrderAction.take
    ) {
      Argument<String?>("order", help: "Which order; the first open one when left out.")
      OrderOptions.declarations
      TakingTime.option
    }
    Command(
      "list", abstract: "List the open orders.",
      discussion: "Each page of the list is waited for 10 seconds at most.\n\n"
        + ExitReason.table(
          .unreachable, .status, .malformedList, .timedOut, .cannotListen, .journal),
      examples: [CommandExample("demo order list --server http://127.0.0.1:7000", "What that server has left.")],
      output: OrderAction.list
    ) { OrderOptions.listDeclarations }
    Command(
      "resume",
      abstract: "Finish what an earlier process left unfinished or unknown, under the same idempotency keys.",
      discussion: """
        What was wanted less than two minutes ago is put again. Of an older wish the server is only asked what became of it: \
        nobody wants an order put again hours later; of one that can no longer be on its way its word is the end. 'demo order take' with the same journal wants it again, under the same key.

        \(ExitReason.table(.cannotListen, .declined, .rejected, .unknown, .notSent, .key, .journal))
        """,
      examples: [CommandExample("demo order resume --journal takings.sqlite", "Finish what is left in it.")],
      output: OrderAction.resume
    ) {
      OrderOptions.declarations
      TakingTime.option
    }
    Command(
      "status",
      abstract: "Say what the journal knows, and ask the server about what it does not know; nothing is taken.",
      discussion: ExitReason.table(.cannotListen, .unknown, .notSent, .journal),
      examples: [CommandExample("demo order status --journal takings.sqlite", "What is known of all orders in it.")],
      output: OrderAction.status
    ) {
      Argument<String?>("order", help: "Which order; all when left out.")
      OrderOptions.declarations
      Option<Seconds>(
        "timeout", default: Seconds(10), valueName: "seconds", help: "How long to ask the server about all of them.")
    }
    Command(
      "serve",
      abstract: "Run the dispatch server until Ctrl-C.",
      discussion: "Ctrl-C is the way to end it, and has its own exit code here, too.\n\n"
        + ExitReason.table(.journal, .cannotListen),
      examples: [
        CommandExample(
          "demo order serve --port 7000 --push-port 7001 --faults all", "A server to develop an app against.")
      ],
      output: ServeOptions.init
    ) {
      Option<Port>("port", default: .anyFree, valueName: "number", help: "The HTTP API's port; 0 for a free one.")
      Option<Port>(
        "push-port", default: .anyFree, valueName: "number", help: "The push channel's port; 0 for a free one.")
      Option<Int>("orders", default: 12, valueName: "count", help: "How many orders there are.")
      Option<FilePath?>("state", valueName: "file", help: "Keep who has which order here.", completion: .file)
      Option<String>("token", default: EmbeddedServer.token, valueName: "token", help: "The driver's bearer token.")
      Option<FaultText?>(
        "faults", valueName: "spec", help: "What it does wrong: all, or items such as 503=0.2,lost=0.1.")
      CommonOptions.seed
      CommonOptions.json
      CommonOptions.quiet
    }.map(OrderAction.serve)
    Command(
      "simulate",
      abstract: "Run simulated worlds, or replay one with a readable trace.",
      discussion: ExitReason.table(.violation),
      examples: [CommandExample("demo order simulate --seed 42", "What happens in that world, line by line.")],
      output: SimulateOptions.init
    ) {
      CommonOptions.seed
      Option<Int>("count", default: 1, valueName: "count", help: "How many worlds; only one is traced.")
      Flag("liveness", help: "Let the faults end after a minute, and see every operation end.")
      CommonOptions.json
    }.map(OrderAction.simulate)
  }
}
