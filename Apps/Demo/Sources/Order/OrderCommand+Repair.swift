internal import Arguments
internal import Futures
internal import OrderTaking
internal import OrderTakingJournal

extension OrderCommand {
  /// `demo order repair`: assigns the journal to a server, acknowledges its loss, and reports its state.
  func repair(_ options: RepairOptions) async throws -> ExitCode {
    let path = try journalPath(options.journal, "repair")
    let name = JournalServer.name(of: options.server)
    if options.rebinds { try SQLiteJournal<String>.rebind(at: path, toServer: name) }
    let session = OrderOptions(repairing: options)
    let file = try await session.openJournal(readsAllRecords: true)
    guard let file else { return .success }
    defer { file.close() }
    if options.acknowledgesLoss { try await file.acknowledgeLoss().get() }
    let loss = file.unacknowledgedLoss
    // The line of JSON has the loss too.
    if loss != nil || !options.acknowledgesLoss { try report(file.recovery, of: options.json ? nil : loss, session) }
    let count = try await file.records().get().count
    if options.json {
      struct Line: Encodable { let records: Int, server: String, loss: JournalRecovery? }
      try write(jsonLine(Line(records: count, server: name, loss: loss)))
    } else {
      let orders = count == 1 ? "1 order" : "\(count) orders"
      try write(
        OutputText.line(
          "The journal \(path) holds \(orders) of \(JournalServer.words(options.server))."
            + (loss == nil ? " It has no loss to acknowledge." : "")))
    }
    return loss == nil ? .success : ExitReason.lostRecords.exitCode
  }
}
