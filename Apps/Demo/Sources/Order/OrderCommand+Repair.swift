internal import Arguments
internal import Futures
internal import OrderTaking
internal import OrderTakingJournal

extension OrderCommand {
  /// `demo order repair`: assigns the journal to a server, acknowledges its loss, and reports its state.
  func repair(_ options: OrderOptions, acknowledgesLoss: Bool, rebinds: Bool) async throws -> ExitCode {
    let path = try journalPath(options, "repair")
    let name = JournalServer.name(of: options.server)
    if rebinds { try SQLiteJournal<String>.rebind(at: path, toServer: name) }
    guard let file = try await options.openJournal(readsAllRecords: true) else { return .success }
    defer { file.close() }
    // Also before the loss is acknowledged, because this opening may have found it.
    let found = file.unacknowledgedLoss
    warn(of: file.recovery, loss: acknowledgesLoss ? nil : found, options)
    if acknowledgesLoss { try await file.acknowledgeLoss().get() }
    let loss = file.unacknowledgedLoss
    let count = try await file.records().get().count
    if options.json {
      struct Line: Encodable { let records: Int, server: String, loss: JournalRecovery? }
      try write(jsonLine(Line(records: count, server: name, loss: loss)))
    } else {
      let orders = count == 1 ? "1 order" : "\(count) orders"
      try write(
        escaped(
          "The journal \(path) holds \(orders) of \(name)."
            + (loss != nil ? "" : found != nil ? " The loss is acknowledged." : " It has no loss to acknowledge.")))
    }
    return loss == nil ? .success : ExitReason.lostRecords.exitCode
  }
}
