import Arguments
import Foundation
import Loopback
import OrderTaking
import OrderTakingJournal
import OrderTakingServer
import TestSupport
import Testing

@testable import Demo

@Suite("Timeouts of the order commands", .timeLimit(.minutes(5)))
final class OrderTimeoutTests: Sendable {
  private let files: OrderFiles

  init() throws { files = try OrderFiles() }

  private func storedRecord() throws -> TakingRecord<String>? {
    try files.records().first { $0.intent.order == "7" }
  }

  @Test("an order that never reached a server is not taken, and the next intent has a new key")
  func timeoutWithoutServer() async throws {
    let options = ["--server", "http://127.0.0.1:9", "--token", "t", "--journal", files.journal, "--timeout", "3"]
    let outcome = try await DemoProcess.start(["order", "take", "7"] + options).outcome()
    // If the timeout ends during a request, the outcome is unknown.
    guard outcome.status != 22 else { return #expect(try storedRecord()?.checkpoint == .ended(.unknown(.expired))) }
    #expect(outcome.status == 23 && outcome.errors.contains("Order 7 was not taken"), "\(outcome)")
    let cause = "Last error: Cannot PUT http://127.0.0.1:9/orders/7/taking: nothing accepts connections there."
    #expect(outcome.errors.contains(cause), "\(outcome)")
    let first = try #require(try storedRecord())
    #expect(first.checkpoint == .ended(.expired) && first.isDelivered)
    let resumed = try await DemoProcess.start(["order", "resume"] + options).outcome()
    #expect(resumed.output.hasPrefix("Nothing to resume in"))
    #expect([22, 23].contains(try await DemoProcess.start(["order", "take", "7"] + options).outcome().status))
    #expect(try storedRecord()?.intent.key != first.intent.key)
  }

  @Test("an order that the server has not decided may be taken, and resume finishes it under the same key")
  func timeoutWithUndecidedServer() async throws {
    let decisions = Log<@Sendable () -> Void>()
    let timers = Timers(
      schedule: { _, decide in
        decisions.append(decide)
        return {}
      }, now: { Moment(sinceEpoch: .zero, sinceBoot: .zero) })
    let (puts, put) = AsyncStream.makeStream(of: Void.self)
    let server = try await OrderServer.start(
      .init(offers: [OfferedOrder("7", details: "{}", decidedAfter: .seconds(1))], credentials: ["t": "ann"]),
      timers: timers
    ) { event in
      if case .request("PUT", _, _, _, _) = event { put.yield() }
    }
    let shared = ["--server", server.url.absoluteString, "--token", "t", "--journal", files.journal]
    var iterator = puts.makeAsyncIterator()
    var keys: Set<IdempotencyKey> = []
    // A second interrupted command keeps the record and its key.
    for words in [["take", "7"], ["resume"]] {
      let process = try DemoProcess.start(["order"] + words + ["--timeout", "120"] + shared)
      await iterator.next()
      process.interrupt()
      let outcome = await process.outcome()
      #expect(outcome.status == 130 && outcome.errors.contains("The outcome of order 7 is unknown: "), "\(outcome)")
      let record = try #require(try storedRecord())
      #expect(record.checkpoint == .ended(.unknown(.cancelled)))
      keys.insert(record.intent.key)
    }
    for decide in decisions.all { decide() }
    let resumed = try await DemoProcess.start(["order", "resume"] + shared).outcome()
    #expect(resumed.status == 0 && resumed.output.hasSuffix("Order 7 is yours: {}\n"), "\(resumed)")
    #expect(keys == [try #require(server.orders["7"]?.taking?.key)])
    await server.stop(grace: .zero)
  }

  @Test("the message and the exit code of a timeout state the known outcome of the order")
  func timeoutMessages() throws {
    let line = ["order", "take", "7", "--journal", "takings.sqlite", "--server", "http://127.0.0.1:9"]
    guard case .success(let parsed) = DemoCommand.command.parse(line),
      case .order(.take(let order?, let options, _)) = parsed.output
    else { throw CancellationError() }
    let unknown = OrderError(
      try #require(OrderTakingFailure(.unknown(.expired))), order: order, options)
    #expect(
      unknown.kind == .unknown && unknown.description.hasPrefix("The outcome of order 7 is unknown: no final answer"),
      "\(unknown)")
    #expect(
      unknown.description.hasSuffix(
        "finish it: demo order resume --journal takings.sqlite --server http://127.0.0.1:9"), "\(unknown)")
    let refused = OrderError(
      try #require(OrderTakingFailure(.unknown(.refused(status: 401)))), order: order, options)
    #expect(refused.description.contains(" Check --token. Ask the server: demo order status 7 "), "\(refused)")
    let expired = OrderError(try #require(OrderTakingFailure(.expired)), order: order, options)
    #expect(
      expired.kind == .notSent && expired.description.hasPrefix("Order 7 was not taken: ")
        && expired.description.hasSuffix("Give a longer --timeout."), "\(expired)")
    for (status, advice) in [
      (400, "See the names with: demo order list"), (401, "the token is missing or wrong. Give it with --token."),
      (403, "with status 403. Check --server and --token."), (404, "See the names with: demo order list"),
    ] {
      let rejected = OrderError(try #require(OrderTakingFailure(.rejected(status: status))), order: order, options)
      #expect(rejected.kind == .rejected && rejected.description.contains(advice), "\(rejected)")
    }
  }

  @Test("an unknown outcome of resume advises to repeat the command")
  func timeoutOfSecondCommand() throws {
    let line = ["order", "resume", "--journal", "j"]
    guard case .success(let parsed) = DemoCommand.command.parse(line),
      case .order(.resume(let options, _)) = parsed.output
    else { throw CancellationError() }
    func text(_ error: HTTPError?, wasOnlyAsked: Bool = false) throws -> String {
      OrderError(
        try #require(OrderTakingFailure(.unknown(.expired))), order: "7", options, again: "AGAIN",
        wasOnlyAsked: wasOnlyAsked, lastError: error
      ).description
    }
    #expect(try text(.timedOut).hasSuffix("timed out. Check that the server responds, then repeat: AGAIN"))
    #expect(try text(nil).hasSuffix("no final answer before the time limit. Try again: AGAIN"))
    let advised = HTTPError(.transport(mayHaveReachedServer: true), message: "Cannot GET x: no connection. Check x.")
    #expect(try text(advised).hasSuffix("Check x. Then repeat: AGAIN"))
    #expect(
      try text(.status(404), wasOnlyAsked: true).hasSuffix(
        "Try again: AGAIN; or take it again with the same idempotency key: demo order take 7 --journal j"))
  }

  @Test("the message of a timeout names the error of the last request")
  func timeoutNamesLastError() throws {
    guard case .success(let parsed) = DemoCommand.command.parse(["order", "take", "7", "--server", "https://h"]),
      case .order(.take(let order?, let options, _)) = parsed.output
    else { throw CancellationError() }
    func text(_ outcome: TakingOutcome, _ error: HTTPError) throws -> String {
      OrderError(try #require(OrderTakingFailure(outcome)), order: order, options, lastError: error).description
    }
    let tls = HTTPError(
      .transport(mayHaveReachedServer: true), message: "Cannot PUT https://h: the TLS connection failed. Check it.")
    #expect(
      try text(.unknown(.expired), tls).hasPrefix(
        "The outcome of order 7 is unknown: no final answer before the time limit. Last error: \(tls.message) Add "))
    let insecure = HTTPError(.insecure, message: tls.message)
    #expect(
      try text(.unknown(.expired), insecure).hasPrefix(
        "The outcome of order 7 is unknown: no final answer. Last error: \(tls.message) Add "))
    #expect(
      try text(.expired, .notConnected).hasPrefix(
        "Order 7 was not taken: no request reached the server before the time limit. Last error: no connection. Check"))
    #expect(try text(.expired, tls).hasSuffix("Last error: \(tls.message)"), "the message has its own advice")
    #expect(
      try text(.expired, .status(429)).hasPrefix(
        "Order 7 was not taken: the server accepted no request before the time limit. Last error: status 429. The server limits"
      ))
    let refused = try text(.unknown(.refused(status: 403)), .status(403))
    #expect(!refused.contains("Last error"))
    #expect(refused.hasSuffix("take it again: demo order take 7 --journal FILE --server https://h"))
  }

  @Test("suggested commands are quoted for the shell, whatever the order's name is")
  func suggestedCommandsAreQuoted() throws {
    let line = ["order", "take", "--journal", "it's.sqlite", "--server", "http://127.0.0.1:9", "--", "7"]
    guard case .success(let parsed) = DemoCommand.command.parse(line),
      case .order(.take(_, let options, _)) = parsed.output
    else { throw CancellationError() }
    let given = #" --journal 'it'\''s.sqlite' --server http://127.0.0.1:9"#
    for (order, command) in [
      ("7", "demo order take 7" + given), ("~", "demo order take '~'" + given), ("=7", "demo order take '=7'" + given),
      ("-q", "demo order take" + given + " -- -q"), ("a b", "demo order take 'a b'" + given),
    ] {
      #expect(options.command("take", order) == command)
    }
    guard
      case .success(let parsed) = DemoCommand.command.parse(["order", "take", "--server", "http://h", "--", "-q"]),
      case .order(.take(let order, _, _)) = parsed.output
    else { throw CancellationError() }
    #expect(order == "-q")
  }

  @Test("a timeout of almost zero sends no request and does not acknowledge an earlier result")
  func zeroTimeout() async throws {
    let requests = Log<String>()
    let server = try await HTTPServer.start(
      Router {
        Route(.put, "/*path") { _ in
          requests.append("PUT")
          return .json(text: #"{"result":"accepted"}"#)
        }
      })
    let intent = TakingIntent(order: "7", key: IdempotencyKey(high: 1, low: 2))
    let declined = TakingRecord(
      intent: intent, begunAt: .seconds(1), checkpoint: .ended(.declined(reason: "already_taken")))
    try await files.store([declined], server: server.url)
    let options = ["--server", server.url.absoluteString, "--token", "t", "--journal", files.journal]
    let outcome = try await DemoProcess.start(["order", "take", "7", "--timeout", "1e-9"] + options).outcome()
    #expect(outcome.status == 23 && requests.all.isEmpty, "\(outcome)")
    #expect(try storedRecord() == declined)
    let resumed = try await DemoProcess.start(["order", "resume"] + options).outcome()
    #expect(resumed.errors.contains("Order 7 was declined"), "\(resumed)")
    #expect(try storedRecord()?.isDelivered == true)
    await server.stop(grace: .zero)
  }

  @Test("the timeout of take includes the request for the list")
  func timeoutIncludesList() async throws {
    let requests = Log<String>()
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/orders") { _ in
          requests.append("list")
          return .json(text: #"{"orders":["7"]}"#)
        }
      })
    let outcome = try await DemoProcess.run(
      "order", "take", "--server", server.url.absoluteString, "--timeout", "1e-9")
    #expect(outcome.status == 15 && outcome.errors.contains("no connection within"), "\(outcome)")
    #expect(requests.all.isEmpty)
    await server.stop(grace: .zero)
  }
}
