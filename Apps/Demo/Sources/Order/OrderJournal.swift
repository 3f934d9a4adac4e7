internal import Foundation
internal import Futures
internal import OrderTaking
internal import OrderTakingJournal

// How the commands open a journal, and report its damage.

extension OrderOptions {
  /// Opens the journal, if there is one.
  ///
  /// - Parameter readsAllRecords: Whether to read all records first. Opening the journal checks only the open ones. If another one is
  ///   corrupt, the journal is opened again, which salvages the others.
  func openJournal(readsAllRecords: Bool) async throws -> SQLiteJournal<String>? {
    guard let path = journal?.path else { return nil }
    let file = try openOnce(path)
    guard readsAllRecords else { return file }
    do throws(JournalError) {
      _ = try await file.records().get()
      return file
    } catch {
      file.close()
      guard error.kind == .damaged else { throw error }
      return try openOnce(path)
    }
  }

  private func openOnce(_ path: String) throws -> SQLiteJournal<String> {
    do throws(JournalError) { return try SQLiteJournal(at: path, server: JournalServer.name(of: server)) } catch {
      guard [.damaged, .otherServer].contains(error.kind) else { throw error }
      throw OrderError(
        kind: .journal,
        description: "\(error) To assign it to \(JournalServer.name(of: server)): \(repairCommand("--rebind"))")
    }
  }
}

/// The name of a server in a journal.
///
/// The same order name means another order on another server.
enum JournalServer {
  /// Journals store this text, so existing journals would be refused after a change.
  static func name(of server: ServerAddress?) -> String { server?.name ?? "the server that demo order starts itself" }
}

/// Formats the loss of a journal as a line of JSON.
enum LossReport {
  private struct Line: Encodable { let loss: JournalRecovery }

  static func line(_ loss: JournalRecovery) -> String { jsonLine(Line(loss: loss)) }
}
