import Foundation
import Loopback
import OrderTaking
import OrderTakingJournal
import OrderTakingServer
import ParallelTesting
import Testing

/// What `demo order take` and `demo order resume` say of an order when the time that they were given is over.
@Suite("demo order, when its time is over,", .timeLimit(.minutes(5)))
final class OrderTimeoutTests: Sendable {
  private let files: OrderFiles

  init() throws { files = try OrderFiles() }

  private func kept() throws -> TakingRecord<String>? {
    let file = try SQLiteJournal<String>(at: files.journal)
    defer { file.close() }
    return try file.journal.record("7")
  }

  /// Runs the command, with three seconds for it.
  private func run(_ words: String..., at server: URL) async throws -> DemoProcess.Outcome {
    let options = ["--server", server.absoluteString, "--token", "t", "--journal", files.journal, "--timeout", "3"]
    return try await DemoProcess.start(["order"] + words + options).outcome()
  }

  @Test("says that the order is not ours where no server can have heard of it, and the next wish has a key of its own")
  func unreachable() async throws {
    let nobody = try #require(URL(string: "http://127.0.0.1:9"))
    let outcome = try await run("take", "7", at: nobody)
    // Time may be up within a request, which nobody can call unsent then.
    guard outcome.status != 22 else { return #expect(try kept()?.change == .ended(.unknown(.expired))) }
    #expect(outcome.status == 23 && outcome.errors.contains("Order 7 is not yours"), "\(outcome)")
    #expect(outcome.errors.contains("Check --server"), "\(outcome)")
    let first = try #require(try kept())
    #expect(first.change == .ended(.expired) && first.isDelivered)
    #expect(try await run("resume", at: nobody).output.hasPrefix("Nothing is left to do"))
    #expect([22, 23].contains(try await run("take", "7", at: nobody).status))
    #expect(try kept()?.intent.key != first.intent.key)
  }

  @Test("says that the order may be ours where a server has not decided, and resume finishes it under the same key")
  func undecided() async throws {
    let decisions = Log<@Sendable () -> Void>()
    let timers = Timers(
      schedule: { _, decide in
        decisions.append(decide)
        return {}
      }, now: { .zero })
    let server = try await OrderServer.start(
      .init(offers: [OfferedOrder("7", details: "{}", decidedAfter: .seconds(1))], credentials: ["t": "ann"]),
      timers: timers)
    let outcome = try await run("take", "7", at: server.url)
    #expect(outcome.status == 22 && outcome.errors.contains("Order 7 may be yours: Time ran out"), "\(outcome)")
    #expect(outcome.errors.contains("finish it with: demo order resume --journal \(files.journal)"), "\(outcome)")
    let record = try #require(try kept())
    #expect(record.change == .ended(.unknown(.expired)))
    // One that gets no result, either, loses nothing.
    #expect(try await run("resume", at: server.url).status == 22)
    #expect(try kept()?.intent.key == record.intent.key)
    for decide in decisions.all { decide() }
    let resumed = try await DemoProcess.start(
      ["order", "resume", "--server", server.url.absoluteString, "--token", "t", "--journal", files.journal]
    ).outcome()
    #expect(resumed.status == 0 && resumed.output.hasSuffix("Order 7 is yours: {}\n"), "\(resumed)")
    #expect(server.book["7"]?.taking?.key == record.intent.key)
    await server.stop(grace: .zero)
  }

  @Test("is over at once when there is none, sends nothing, and takes nothing for told that was not")
  func none() async throws {
    let requests = Log<String>()
    let server = try await HTTPServer.start(
      Router {
        Route(.put, "/*path") { _ in
          requests.append("PUT")
          return .json(text: #"{"result":"accepted"}"#)
        }
      })
    let file = try SQLiteJournal<String>(at: files.journal)
    let intent = TakingIntent(order: "7", key: IdempotencyKey(high: 1, low: 2))
    let declined = TakingRecord(
      intent: intent, begunAt: .seconds(1), change: .ended(.declined(reason: "already_taken")))
    try file.journal.write(declined)
    file.close()
    let options = ["--server", server.url.absoluteString, "--token", "t", "--journal", files.journal]
    let outcome = try await DemoProcess.start(["order", "take", "7", "--timeout", "1e-9"] + options).outcome()
    #expect(outcome.status == 23 && requests.all.isEmpty, "\(outcome)")
    #expect(try kept() == declined)
    let resumed = try await DemoProcess.start(["order", "resume"] + options).outcome()
    #expect(resumed.errors.contains("Order 7 is declined"), "\(resumed)")
    #expect(try kept()?.isDelivered == true)
    await server.stop(grace: .zero)
  }

  @Test("says that the order is ours where only its details are missing")
  func withoutDetails() async throws {
    let server = try await HTTPServer.start(
      Router {
        Route(.put, "/*path") { _ in .json(text: #"{"result":"accepted"}"#) }
        Route(.get, "/*path") { _ in HTTPReply.never }
      })
    let outcome = try await run("take", "7", at: server.url)
    #expect(outcome.status == 0 && outcome.output.contains("Order 7 is yours: its details never came"), "\(outcome)")
    await server.stop(grace: .zero)
  }

  @Test("counts the list as well, where no order was named")
  func list() async throws {
    let silent = try await HTTPServer.start(Router { Route(.get, "/orders") { _ in HTTPReply.never } })
    let outcome = try await run("take", at: silent.url)
    #expect(outcome.status == 15 && outcome.errors.contains("no whole answer in time"), "\(outcome)")
    await silent.stop(grace: .zero)
  }
}
