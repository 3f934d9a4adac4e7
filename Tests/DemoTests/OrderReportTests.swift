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

  @Test("control characters and direction marks are shown by number in text, and kept in JSON") func escaping() throws {
    let name = "a\u{202E}b\u{200B}\u{9B}31m\u{2028}\n"
    #expect(escaped(name) == #"a\u{202E}b\u{200B}\u{9B}31m\u{2028}\u{A}"#)
    let line = jsonLine(["order": name])
    #expect(line.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) })
    #expect(try JSONDecoder().decode([String: String].self, from: Data(line.utf8)) == ["order": name])
  }
}
