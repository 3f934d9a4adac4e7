internal import Arguments

extension DemoCommand {
  static let order = Command("order", abstract: "Take orders over an unreliable network, once, and never lose one.") {
    Command(
      "take",
      abstract: "Take an order, and show what happens on both channels.",
      discussion: """
        Without --server, a server with a few orders is started on this machine for the time of the command; with \
        --journal it remembers who has which order in a file beside that. Without an order the first open one is taken.

        Ctrl-C once cancels, and says what is known; twice ends the process at once. With --journal, 'demo order resume' \
        finishes what either has left.

        \(OrderError.exitCodeTable)
        """,
      examples: [
        CommandExample("demo order take", "Take an order from the embedded server."),
        CommandExample("demo order take tour-2 --faults all --seed 7", "See how failures are dealt with."),
        CommandExample("demo order take tour-2 --journal takings.sqlite", "Survive a crash."),
      ],
      output: OrderAction.take
    ) {
      Argument<String?>("order", help: "Which order; the first open one when left out.")
      OrderOptions.declarations
    }
    Command(
      "list", abstract: "List the open orders.",
      discussion: ExitReason.table(.unreachable, .status, .interrupted), output: OrderAction.list
    ) { OrderOptions.declarations }
    Command(
      "resume",
      abstract: "Finish what an earlier process left unfinished or unknown, under the same idempotency keys.",
      discussion: OrderError.exitCodeTable,
      output: OrderAction.resume
    ) { OrderOptions.declarations }
    Command(
      "status",
      abstract: "Say what the journal knows, and ask the server about what it does not know; nothing is taken.",
      discussion: ExitReason.table(
        .unreachable, .status, .rejected, .unknown, .notSent, .key, .journal, .interrupted),
      output: OrderAction.status
    ) {
      Argument<String?>("order", help: "Which order; all when left out.")
      OrderOptions.declarations
    }
    Command(
      "serve",
      abstract: "Run the dispatch server until Ctrl-C.",
      discussion: ExitReason.table(.journal),
      examples: [
        CommandExample(
          "demo order serve --port 7000 --push-port 7001 --faults all", "A server to develop an app against.")
      ],
      output: ServeOptions.init
    ) {
      Option<Int>("port", default: 0, valueName: "number", help: "The HTTP API's port; 0 for a free one.")
      Option<Int>("push-port", default: 0, valueName: "number", help: "The push channel's port; 0 for a free one.")
      Option<Int>("orders", default: 12, valueName: "count", help: "How many orders there are.")
      Option<FilePath?>("state", valueName: "file", help: "Keep who has which order here.", completion: .file)
      Option<String>("token", default: EmbeddedServer.token, valueName: "token", help: "The driver's bearer token.")
      Option<FaultText?>(
        "faults", valueName: "spec", help: "What it does wrong: all, or items such as 503=0.2,lost=0.1.")
      Option<UInt64>("seed", default: 1, valueName: "number", help: "Where the chances of faults start.")
      Flag("json", help: "Print JSON lines.")
    }.map(OrderAction.serve)
    Command(
      "simulate",
      abstract: "Run simulated worlds, or replay one with a readable trace.",
      discussion: ExitReason.table(.violation, .interrupted),
      examples: [CommandExample("demo order simulate --seed 42", "What happens in that world, line by line.")],
      output: SimulateOptions.init
    ) {
      Option<UInt64>("seed", default: 1, valueName: "number", help: "The world, or the first of many.")
      Option<Int>("count", default: 1, valueName: "count", help: "How many worlds; only one is traced.")
      Flag("liveness", help: "Let the faults end after a minute, and see every operation end.")
      Flag("json", help: "Print JSON lines.")
    }.map(OrderAction.simulate)
  }
}
