import Foundation
import Loopback
import OrderTaking
import OrderTakingJournal
import TestSupport
import Testing

@testable import Demo

@Suite("Report lines of recorded orders")
struct RecordReportTests {
  private struct Line: Decodable, Equatable { let order: String, state: String, key: String?, reason: String? }

  private func line(_ checkpoint: TakingCheckpoint) throws -> Line {
    let intent = TakingIntent(order: "7", key: IdempotencyKey(high: 1, low: 2))
    let record = TakingRecord(intent: intent, begunAt: .zero, checkpoint: checkpoint)
    return try JSONDecoder().decode(Line.self, from: Data(RecordReport.line(record, json: true).utf8))
  }

  @Test(
    "the report of an outcome has the same state and reason as its failure",
    arguments: [
      TakingOutcome.declined(reason: "late"), .rejected(status: 404), .cancelled, .expired, .keyMismatch, .keyExpired,
      .unrecorded, .unknown(.cancelled), .unknown(.expired), .unknown(.refused(status: 403)),
    ])
  func outcomeLine(outcome: TakingOutcome) throws {
    let (failure, line) = (try #require(OrderTakingFailure(outcome)), try line(.ended(outcome)))
    #expect(line.state == failure.kind.rawValue && line.reason == failure.reason)
  }

  @Test("the state of a report is one word, and further information is its reason")
  func stateAndReason() throws {
    for (checkpoint, state, reason) in [
      (TakingCheckpoint.begun, "begun", nil), (.acknowledged, "processing", nil),
      (.accepted, "accepted", "details to come"),
      (.ended(.accepted(hasDetails: true)), "accepted", nil),
      (.ended(.accepted(hasDetails: false)), "accepted", "without details"),
    ] as [(TakingCheckpoint, String, String?)] {
      let line = try line(checkpoint)
      #expect(line.state == state && line.reason == reason)
    }
  }

  @Test("status reports the fetched details, completes the order, and resume does not report it again")
  func statusReportsDetails() async throws {
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/orders/7/taking") { _ in .json(text: #"{"result":"accepted"}"#) }
        Route(.get, "/orders/7") { _ in .json(text: #"{"stops":2}"#) }
      })
    for option in [[], ["--json"]] {
      let files = try OrderFiles()
      let key = IdempotencyKey(high: 1, low: 2)
      let intent = TakingIntent(order: "7", key: key)
      let record = TakingRecord(intent: intent, begunAt: Timers.dispatch().now().sinceEpoch)
      try await files.store([record], server: server.url)
      let shared = ["--server", server.url.absoluteString, "--journal", files.journal]
      let status = try await DemoProcess.start(["order", "status"] + shared + option).outcome()
      #expect(status.status == 0, "\(status)")
      if option.isEmpty {
        #expect(status.output == "7  accepted: {\"stops\":2}  key \(key)\n")
      } else {
        let line = try JSONDecoder().decode([String: String].self, from: Data(status.output.utf8))
        #expect(line == ["order": "7", "state": "accepted", "key": key.description, "details": #"{"stops":2}"#])
      }
      let resumed = try await DemoProcess.start(["order", "resume"] + shared).outcome()
      #expect(resumed.output.hasSuffix("Nothing to resume in \(files.journal).\n"), "\(resumed)")
    }
    await server.stop(grace: .zero)
  }

  @Test("status reports an empty journal in text, and prints nothing with --json")
  func emptyJournal() async throws {
    let files = try OrderFiles()
    let journal = files.journal
    try Data().write(to: URL(filePath: journal))
    let status = try await DemoProcess.run("order", "status", "--journal", journal)
    #expect(status.status == 0 && status.output == "The journal \(journal) holds no orders.\n", "\(status)")
    let json = try await DemoProcess.run("order", "status", "--journal", journal, "--json")
    #expect(json.status == 0 && json.output == "")
  }
}
