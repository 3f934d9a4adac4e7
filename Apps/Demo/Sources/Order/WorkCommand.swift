internal import Arguments
internal import OrderTaking

/// `demo order work`: finishes the orders of a journal until a signal.
struct WorkCommand: DemoCommand {
  let options: OrderOptions

  static let declaration = Command<any DemoCommand>(
    "work", abstract: "Finish the orders of a journal or a database until Ctrl-C.",
    discussion: """
      The worker takes over orders whose process has ended, with the same idempotency keys, and asks again for unknown outcomes. \
      It owns an order of a database for 30 seconds, and renews this lease every 10 seconds. Any number of processes can work on \
      one database, and one on a journal file.

      Ctrl-C releases the orders, so that other workers continue at once. After a crash they continue when the leases end.
      """,
    examples: [
      CommandExample("demo order work --database postgres://localhost/orders", "Run a worker on a database.")
    ],
    output: { (options: OrderOptions) throws(ValidationError) in
      try options.requireStorage("work")
      return WorkCommand(options: options)
    }
  ) {
    OrderOptions.group
  }

  func run() async throws -> ExitCode {
    try await OrderSession(options).use { session in
      var policy = WorkerPolicy()
      policy.drainTime = .seconds(2)
      let (failures, failed) = AsyncStream.makeStream(of: (any Error).self)
      let worker = OrderWorker<String>(storage: session.storage, policy: policy, observer: session.timeline.observer) {
        session.clients($1)
      } deliver: { delivery in
        // The outcome stays in the journal if it cannot be printed.
        do { _ = try session.show(delivery.result, of: delivery.order) } catch {
          failed.yield(error)
          throw error
        }
      }
      return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await worker.run() }
        group.addTask { for await failure in failures { throw failure } }
        defer { group.cancelAll() }
        try await group.next()
        return .interrupted
      }
    }
  }
}
