internal import Arguments
internal import Futures
internal import OrderTaking
internal import OrderTakingPostgres
internal import OrderTakingServerPostgres
internal import Terminal

extension OrderCommand {
  /// `demo order migrate`: creates the tables of the journal and of the server.
  func migrate(_ database: PostgresConfiguration, json: Bool) async throws -> ExitCode {
    let journal = try await PostgresJournal.migrate(database).get()
    let server = try await PostgresOrderStore.migrate(database).get()
    struct Line: Encodable { let journal: Int, server: Int }
    try write(
      json
        ? jsonLine(Line(journal: journal, server: server))
        : "The database has schema \(journal) of the journal and schema \(server) of the server.")
    return .success
  }

  /// `demo order status --database`: shows the workers and the orders that wait for one.
  func databaseStatus(_ database: PostgresConfiguration, json: Bool) async throws -> ExitCode {
    let workload = try await PostgresJournal.workload(database).get()
    struct Line: Encodable {
      var worker: String?
      let orders: Int
      /// The seconds until the first lease ends.
      var lease: Double?
      /// The seconds for which the first order has been due.
      var lag: Double?
    }
    let seconds = { (time: Duration) in (time / .milliseconds(1)).rounded() / 1_000 }
    let count = { (number: Int) in number == 1 ? "1 order" : "\(number) orders" }
    for share in workload.shares {
      let line = Line(worker: share.worker, orders: share.orderCount, lease: seconds(share.lease))
      let text =
        "Worker \(share.worker): \(count(share.orderCount)), first lease ends in \(TimelineEntry.text(share.lease))"
      try write(json ? jsonLine(line) : escaped(text))
    }
    if let lag = workload.lag {
      let line = Line(orders: workload.dueCount, lag: seconds(lag))
      let text = "No worker: \(count(workload.dueCount)), due for \(TimelineEntry.text(lag))"
      try write(json ? jsonLine(line) : text)
    }
    if workload.shares.isEmpty, workload.lag == nil, !json { try write("The database has no unfinished orders.") }
    return .success
  }
}

extension OrderError {
  /// Creates the error of a journal.
  init(_ error: JournalError) {
    let notMigrated =
      "Cannot use the database: it lacks tables of this release. Run: demo order migrate --database URL"
    self.init(kind: .journal, description: error.kind == .notMigrated ? notMigrated : error.description)
  }
}
