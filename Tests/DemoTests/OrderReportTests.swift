import Arguments
import Foundation
import OrderTaking
import Testing

@testable import Demo

@Suite("Errors and reports of the order commands")
struct OrderReportTests {
  /// Parses the options of a command line of `demo order take 7`.
  private func options(_ words: [String] = []) throws -> OrderOptions {
    let parsed = try Demo.command.parse(["order", "take", "7"] + words).get()
    return try #require(parsed as? TakeCommand).options
  }

  private func error(
    _ outcome: TakingOutcome, _ options: OrderOptions, lastError: HTTPError? = nil,
    isInterrupted: Bool = false
  ) throws -> DemoError {
    DemoError(
      try #require(OrderTakingFailure(outcome)), of: "7", options, lastError: lastError,
      isInterrupted: isInterrupted)
  }

  @Test("an unknown outcome has its own exit code, its cause, and a next step that keeps the idempotency key")
  func unknownOutcome() throws {
    for (words, next) in [
      (["--journal", "j"], "its key stays the same."),
      (["--database", "postgres://h"], "its key stays the same."),
      ([], "Use --journal FILE the next time, which keeps the idempotency key."),
    ] {
      let error = try error(.unknown(.expired), options(words))
      #expect(error.exitCode.rawValue == 3)
      #expect(
        error.problem == "The outcome of order 7 is unknown: no final answer before the time limit."
          && error.nextStep.hasSuffix(next), "\(error)")
    }
    let refused = try error(.unknown(.refused(status: 403)), options())
    #expect(refused.problem == "The outcome of order 7 is unknown: the server answered with status 403.")
    #expect(try error(.unknown(.cancelled), options(), isInterrupted: true).exitCode.rawValue == 130)
  }

  @Test("an order that was not taken has exit code 1, its last error, and the next step")
  func notTaken() throws {
    let error = try error(.expired, options(), lastError: .notConnected)
    #expect(error.exitCode.rawValue == 1)
    #expect(error.problem == "Order 7 was not taken: no PUT was processed before the time limit.")
    #expect(error.nextStep.hasPrefix("Check ") && error.nextStep.hasSuffix(". Last error: no connection"))
    #expect(try self.error(.expired, options()).nextStep == "Take it again.")
  }

  @Test(
    "a rejected request has the next step for the server's error",
    arguments: [
      (400, "invalid_name", "See the names with 'demo order list'."), (401, "unauthorized", "Give it with --token."),
      (403, "not_yours", "Check --server and --token."),
      (404, "no_such_order", "See the names with 'demo order list'."),
    ])
  func rejected(status: Int, problem: String, next: String) throws {
    let answer = HTTPError.status(status, problem: HTTPError.Problem(rawValue: problem))
    #expect(try error(.rejected(status: status), options(), lastError: answer).nextStep == next)
  }

  @Test("the line of a record has its state, its reason and its attempts")
  func recordLine() throws {
    let intent = TakingIntent(order: "7", key: IdempotencyKey(high: 1, low: 2))
    let attempt = TakingAttempt(
      worker: "host/1", startedAt: .seconds(60), lastChangeAt: .seconds(62), requestCount: 3, lastError: "timed out")
    for (checkpoint, text) in [
      (TakingCheckpoint.begun, "unfinished: a PUT may have been sent"),
      (.acknowledged, "unfinished: the server is processing it"),
      (.accepted, "unfinished: accepted, details to come"), (.ended(.accepted(hasDetails: true)), "accepted"),
      (.ended(.accepted(hasDetails: false)), "accepted: without details"),
      (.ended(.declined(reason: "late")), "failed: late"),
    ] {
      let record = TakingRecord(intent: intent, begunAt: .zero, checkpoint: checkpoint, attempts: [attempt])
      let line = OrderLine(ListedRecord(driver: "driver", record: record))
      #expect(line.text == "7  \(text)  key \(intent.key)")
      #expect(
        line.attempts?.map(\.text) == ["1970-01-01T00:01:00Z  host/1: 3 requests in 2.000 s, last error: timed out"])
    }
  }

  @Test("control characters and direction marks are shown by number in text, and kept in JSON") func escaping() throws {
    let name = "a\u{202E}b\u{200B}\u{9B}31m\u{2028}\n"
    #expect(escaped(name) == #"a\u{202E}b\u{200B}\u{9B}31m\u{2028}\u{A}"#)
    let line = jsonLine(["order": name])
    #expect(line.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) })
    #expect(try JSONDecoder().decode([String: String].self, from: Data(line.utf8)) == ["order": name])
  }
}
