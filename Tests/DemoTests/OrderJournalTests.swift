import Foundation
import OrderTaking
import OrderTakingJournal
import TestSupport
import Testing

@testable import Demo

@Suite("Damaged and locked journals of order commands", .timeLimit(.minutes(5)))
final class OrderJournalTests: Sendable {
  private let files: OrderFiles

  init() throws { files = try OrderFiles() }

  private var journal: String { files.journal }

  private func run(_ words: String...) async throws -> DemoProcess.Outcome {
    let words = words.flatMap { $0.split(separator: " ").map(String.init) }
    return try await DemoProcess.start(["order"] + words + ["--journal", journal]).outcome()
  }

  /// Flips a bit of the first place with these bytes in the journal.
  private func corrupt(_ text: String) throws {
    var bytes = try Data(contentsOf: URL(filePath: journal))
    let place = try #require(bytes.range(of: Data(text.utf8)))
    bytes[place.lowerBound] ^= 1
    try bytes.write(to: URL(filePath: journal))
  }

  /// Writes two delivered records, and corrupts that of order 2.
  private func writeDamagedJournal() async throws {
    let declined = TakingCheckpoint.ended(.declined(reason: "late"))
    try await files.store([
      TakingRecord("1", key: 0, declined, age: .seconds(60), isDelivered: true),
      TakingRecord("2", key: 1, declined, age: .seconds(59), isDelivered: true),
    ])
    try corrupt(IdempotencyKey(high: 7, low: 1).description)
  }

  @Test(
    "each command reports lost records with exit code 26 until the loss is acknowledged",
    arguments: ["status", "resume", "take tour-1"])
  func loss(command: String) async throws {
    try await writeDamagedJournal()
    // `take` does not read the damaged record.
    if command == "take tour-1" { #expect(try await run("status").status == 26) }
    for _ in 1...2 {
      let outcome = try await run(command)
      #expect(outcome.status == 26, "\(outcome)")
      #expect(outcome.errors.contains("Warning: The journal was damaged"), "\(outcome)")
      #expect(outcome.errors.contains("1 lost (2)"), "\(outcome)")
      #expect(outcome.errors.contains("demo order repair --journal \(journal) --acknowledge-loss"), "\(outcome)")
    }
    let json = try await run(command, "--json")
    #expect(json.status == 26 && json.output.contains(#"{"loss":{"damage":"#), "\(json)")
    #expect(json.output.contains(#""lost":1,"lostOrders":["2"]"#), "\(json)")

    let shown = try await run("repair")
    #expect(shown.status == 26 && shown.errors.contains("1 lost (2)"), "\(shown)")
    let acknowledged = try await run("repair", "--acknowledge-loss")
    #expect(acknowledged.errors.contains("1 lost (2)"), "\(acknowledged)")
    #expect(acknowledged.status == 0 && acknowledged.output.contains("The loss is acknowledged."), "\(acknowledged)")
    let clean = try await run(command)
    #expect(clean.status == 0 && !clean.errors.contains("damaged"), "\(clean)")
  }

  @Test("a journal of which nothing is left is reported with exit code 26, as a loss of an unknown number of records")
  func unknownLoss() async throws {
    try await writeDamagedJournal()
    try Data(contentsOf: URL(filePath: journal)).prefix(100).write(to: URL(filePath: journal))
    for _ in 1...2 {
      let outcome = try await run("resume")
      #expect(outcome.status == 26 && outcome.errors.contains("an unknown number lost"), "\(outcome)")
    }
    let json = try await run("resume", "--json")
    #expect(json.status == 26 && json.output.contains(#""lost":null,"lostOrders":[]"#), "\(json)")
  }

  @Test("a failed order has its own exit code even if records are lost")
  func lossAndFailure() async throws {
    try await writeDamagedJournal()
    #expect(try await run("status").status == 26)
    let declined = try await run("take", "tour-3")
    #expect(declined.status == 20 && declined.errors.contains("Warning: The journal was damaged"), "\(declined)")
  }

  @Test("a journal with a corrupt server name is assigned to a server with repair --rebind")
  func corruptServerName() async throws {
    try await files.store([TakingRecord("7", .ended(.declined(reason: "late")), isDelivered: true)])
    try corrupt("the server that demo order")
    let refused = try await run("status")
    #expect(refused.status == 25 && refused.errors.contains("the name of its server is corrupt"), "\(refused)")
    #expect(refused.errors.contains("demo order repair --journal \(journal) --rebind"), "\(refused)")
    let repaired = try await run("repair", "--rebind")
    #expect(
      repaired.status == 0 && repaired.output.contains("holds 1 order of the server that demo order starts itself."),
      "\(repaired)")
    #expect(try await run("status").output.hasPrefix("7  declined: late"))
  }

  @Test("a journal whose server name is lost is not assigned to the server of the next command")
  func lostServerName() async throws {
    try await files.store([TakingRecord("7", .ended(.declined(reason: "late")), isDelivered: true)])
    // The number of rows in the page of the name, which SQLite stores at the end of the page.
    var bytes = try Data(contentsOf: URL(filePath: journal))
    let name = try #require(bytes.range(of: Data("the server that demo order".utf8)))
    bytes[name.lowerBound / 4_096 * 4_096 + 4] ^= 1
    try bytes.write(to: URL(filePath: journal))
    let refused = try await run("resume", "--server", "http://127.0.0.1:9")
    #expect(refused.status == 25 && refused.errors.contains("the name of its server is missing"), "\(refused)")
    #expect(refused.errors.contains("demo order repair --journal \(journal) --server http://127.0.0.1:9 --rebind"))
    #expect(try await run("repair", "--rebind").status == 0)
    #expect(try await run("status").output.hasPrefix("7  declined: late"))
  }

  @Test("a journal is assigned to another server with repair --rebind --server")
  func movedServer() async throws {
    try await files.store([TakingRecord("7", .ended(.declined(reason: "late")), isDelivered: true)])
    let moved = try await run("repair", "--rebind", "--server", "http://127.0.0.1:9")
    #expect(moved.status == 0 && moved.output.contains("holds 1 order of http://127.0.0.1:9."), "\(moved)")
    #expect(try await run("repair").status == 25)
    let status = try await run("status", "--server", "http://127.0.0.1:9")
    #expect(status.status == 0 && status.output.hasPrefix("7  declined: late"), "\(status)")
  }

  @Test("status shows the records of a journal that another process uses")
  func statusOfLockedJournal() async throws {
    try await files.store([TakingRecord("7"), TakingRecord("8", .ended(.declined(reason: "late")))])
    let owner = try SQLiteJournal<String>(at: journal, server: JournalServer.name(of: nil))
    defer { owner.close() }
    let all = try await run("status")
    #expect(all.status == 0 && all.output.contains("7  begun") && all.output.contains("8  declined: late"), "\(all)")
    #expect(all.errors.contains("Another process uses the journal \(journal). The server was not asked."), "\(all)")
    let one = try await run("status", "8")
    #expect(one.status == 0 && !one.output.contains("7  begun"), "\(one)")
    let missing = try await run("status", "9")
    #expect(missing.status == 25 && missing.errors.contains("has no record of order 9"), "\(missing)")
    #expect(try await run("resume").status == 25)
  }

  @Test("status reports lost records of a journal that another process uses") func lossOfLockedJournal() async throws {
    try await writeDamagedJournal()
    #expect(try await run("status").status == 26)
    let owner = try SQLiteJournal<String>(at: journal, server: JournalServer.name(of: nil))
    defer { owner.close() }
    let outcome = try await run("status --json")
    #expect(outcome.status == 26 && outcome.output.contains(#""lost":1,"lostOrders":["2"]"#), "\(outcome)")
  }

  @Test("take --quiet still reports that the journal could not record a step")
  func quietJournalFailure() async throws {
    // Too small for the first record.
    let outcome = try await DemoProcess.bash(
      "trap '' XFSZ; ulimit -f 72; \"$demo\" order take tour-1 --quiet --journal '\(journal)'")
    #expect(outcome.status == 22 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.contains("may not have recorded the start"), "\(outcome)")
  }
}
