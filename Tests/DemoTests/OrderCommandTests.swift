import Foundation
import Futures
import Loopback
import OrderTaking
import OrderTakingJournal
import OrderTakingServer
import TestSupport
import Testing

@testable import Demo

@Suite("Commands order take, list, serve and simulate", .timeLimit(.minutes(5)))
struct OrderCommandTests {
  @Test("take shows both channels of the embedded server")
  func takeShowsBothChannels() async throws {
    let outcome = try await DemoProcess.run("order", "take", "tour-1", "--faults", "lost-response", "--seed", "1")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.contains { $0.contains(#/^ +\d+\.\d{3} s  http    tour-1  PUT sent$/#) })
    #expect(lines.last == #"Order tour-1 is yours: {"id":"tour-1","parcels":2,"from":"Depot 2"}"#)
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test("without an order, take takes the first open one")
  func takeFirst() async throws {
    let outcome = try await DemoProcess.run("order", "take", "--quiet")
    #expect(outcome.status == 0 && outcome.output.hasPrefix("Order tour-1 is yours: "), "\(outcome)")
  }

  @Test("take --json prints typed events and the result, and status has the same state and reason")
  func jsonOutput() async throws {
    struct Line: Decodable { let state: String?, reason: String? }
    let files = try OrderFiles()
    let outcome = try await files.run("take", "tour-3", "--json")
    #expect(outcome.status == 1)
    let lines = outcome.output.split(separator: "\n").map { Data($0.utf8) }
    let events = try lines.dropLast().map { try JSONDecoder().decode(TimelineEvent.self, from: $0) }
    #expect(Set(events.map(\.channel)).isSuperset(of: [.server, .http, .end]))
    #expect(events.last?.channel == .end && events.last?.kind == .result && events.last?.order == "tour-3")
    #expect(outcome.errors.contains("Order tour-3 was declined: order_cancelled. Choose another order"))
    let result = try JSONDecoder().decode(Line.self, from: try #require(lines.last))
    #expect(result.state == "declined" && result.reason == "order_cancelled")
    let status = try await files.run("status", "tour-3", "--json")
    let record = try JSONDecoder().decode(Line.self, from: Data(status.output.utf8))
    #expect(record.state == "failed" && record.reason == "order_cancelled", "\(status)")
  }

  @Test("list prints the open orders")
  func listOpenOrders() async throws {
    let outcome = try await DemoProcess.run("order", "list")
    #expect(outcome.status == 0 && outcome.output.split(separator: "\n").count == 12)
    #expect(try await DemoProcess.run("order", "list", "--json").output.hasPrefix(#"{"order":"tour-1"}"#))
  }

  @Test("serve prints its address, which other commands can use, and with --quiet nothing else")
  func serveAnnouncesAddress() async throws {
    let process = try DemoProcess.start(["order", "serve", "--quiet"])
    let line = try #require(await process.nextLine())
    let address = try #require(line.firstMatch(of: /--server (\S+)/)).1
    #expect(try await DemoProcess.run("order", "list", "--server", String(address)).status == 0)
    process.interrupt()
    let outcome = await process.outcome()
    #expect(outcome.status == 130 && outcome.output == "" && outcome.errors == "", "\(outcome)")
    let full = try await DemoProcess.bash("$demo order serve > /dev/full")
    #expect(full.status == 1 && full.errors.contains("Cannot write to standard output: No space left"), "\(full)")
  }

  @Test("simulate prints the same readable trace for the same seed")
  func simulateIsDeterministic() async throws {
    let first = try await DemoProcess.run("order", "simulate", "--seed", "42")
    #expect(first.status == 0)
    #expect(first.output.split(separator: "\n").count > 20)
    #expect(first.output.hasSuffix(" 0 violations\n"))
    #expect(try await DemoProcess.run("order", "simulate", "--seed", "42").output == first.output)
    let many = try await DemoProcess.run("order", "simulate", "--count", "50", "--json")
    #expect(many.output.contains(#""worlds":50"#) && many.output.contains(#""violations":[]"#))
  }
}

@Suite("Order commands with a journal", .timeLimit(.minutes(5)))
final class OrderJournalTests: Sendable {
  private let files: OrderFiles

  init() throws { files = try OrderFiles() }

  private func knownServer() async throws -> OrderServer {
    try await OrderServer.start(
      .init(orders: [OfferedOrder("7", details: #"{"stops":2}"#)], tokens: ["t": "ann"]))
  }

  @Test("resume finishes the order of a killed process with the same idempotency key")
  func killedTake() async throws {
    let undecided = try await UndecidedServer()
    let process = try files.start(["take", "7", "--timeout", "120"], with: undecided.server)
    for await _ in undecided.requests { break }
    process.kill()
    #expect(await process.outcome().status == -9)
    let key = try #require(undecided.key())
    undecided.decide()
    let resumed = try await files.run("resume", with: undecided.server)
    #expect(resumed.status == 0 && resumed.output.hasSuffix("Order 7 is yours: {\"stops\":2}\n"), "\(resumed)")
    #expect(undecided.key() == key)
    let status = try await files.run("status", "7", with: undecided.server)
    #expect(status.output.contains("7  accepted  key \(key)\n"), "\(status)")
    #expect(status.output.split(separator: "\n").count >= 2, "\(status)")
    let again = try await files.run("resume", with: undecided.server)
    #expect(again.status == 0 && again.output.hasSuffix("Nothing to resume.\n"), "\(again)")
    await undecided.server.close(grace: .zero)
  }

  @Test("an interrupted take and an interrupted resume keep the idempotency key")
  func interruptedTake() async throws {
    let undecided = try await UndecidedServer()
    var keys: Set<IdempotencyKey> = []
    for (words, problem, next) in [
      (
        ["take", "7"], "The outcome of order 7 is unknown: cancelled before the server answered.",
        "its key stays the same."
      ), (["resume"], "Interrupted. Unfinished orders: 1.", "Finish them with 'demo order resume'."),
    ] {
      let process = try files.start(words + ["--timeout", "120"], with: undecided.server)
      for await _ in undecided.requests { break }
      process.interrupt()
      let outcome = await process.outcome()
      #expect(outcome.status == 130 && outcome.errors.hasPrefix("Error: \(problem)"), "\(outcome)")
      #expect(outcome.errors.contains(next), "\(outcome)")
      keys.insert(try #require(try await files.records().first).intent.key)
    }
    undecided.decide()
    let resumed = try await files.run("resume", with: undecided.server)
    #expect(resumed.status == 0 && resumed.output.hasSuffix("Order 7 is yours: {\"stops\":2}\n"), "\(resumed)")
    #expect(keys == [try #require(undecided.key())])
    await undecided.server.close(grace: .zero)
  }

  @Test(
    "resume sends no PUT for an old intent, and take repeats it under the same key",
    arguments: [TakingCheckpoint.begun, .ended(.unknown(.cancelled))])
  func resumeDoesNotRepeatOldIntent(checkpoint: TakingCheckpoint) async throws {
    let server = try await knownServer()
    let record = TakingRecord("7", checkpoint, age: .seconds(300), isDelivered: checkpoint != .begun)
    try await files.store([record], server: server.url)
    for _ in 0..<2 {
      let outcome = try await files.run("resume", with: server)
      #expect(outcome.status == 3 && outcome.errors.contains("The outcome of order 7 is unknown"), "\(outcome)")
    }
    #expect(server.orders["7"]?.taking == nil)
    let taken = try await files.run("take", "7", with: server)
    #expect(taken.status == 0 && server.orders["7"]?.taking?.key == record.intent.key, "\(taken)")
    await server.close(grace: .zero)
  }

  @Test("a result that could not be printed is part of the error, and resume prints it again")
  func unwrittenResult() async throws {
    let full = try await DemoProcess.bash("$demo order take tour-1 --journal '\(files.journal)' > /dev/full")
    #expect(full.status == 1 && full.errors.hasPrefix("Error: Cannot write to standard output: "), "\(full)")
    #expect(full.errors.contains(" Order tour-1 is yours: {"), "\(full)")
    #expect(try await files.records().map(\.isDelivered) == [false])
    let resumed = try await files.run("resume")
    #expect(resumed.status == 0 && resumed.output.contains("Order tour-1 is yours"), "\(resumed)")
    #expect(try await files.run("resume").output.contains("Nothing to resume"))
  }

  @Test("status counts the orders by state, list shows one state, and discard gives up an unknown outcome")
  func unknownOutcomes() async throws {
    try await files.store([
      TakingRecord("7", .ended(.unknown(.expired)), isDelivered: true),
      TakingRecord("8", .ended(.declined(reason: "late")), isDelivered: true), TakingRecord("9"),
    ])
    let status = try await files.run("status")
    #expect(status.status == 0, "\(status)")
    #expect(status.output.hasPrefix("unfinished: 1\nunknown: 1\nfailed: 1\nno worker: 1, due for "), "\(status)")
    let unknown = try await files.run("list", "--state", "unknown")
    #expect(unknown.output.hasPrefix("7  unknown: It expired") && unknown.output.split(separator: "\n").count == 1)
    let known = try await files.run("discard", "8", "--reason", "by phone")
    #expect(known.status == 1 && known.errors.contains("its outcome is not unknown"), "\(known)")
    let discarded = try await files.run("discard", "7", "--reason", "by phone")
    #expect(discarded.status == 0 && discarded.output.hasPrefix("7  discarded: by phone  key"), "\(discarded)")
    #expect(try await files.run("reconcile").output.hasSuffix("No outcome is unknown.\n"))
    let missing = try await files.run("status", "10")
    #expect(missing.status == 1 && missing.errors.contains("has no record of order 10"), "\(missing)")
  }

  @Test("reconcile gets an unknown outcome from the server, and sends no PUT") func reconcile() async throws {
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/orders/7/taking") { _ in .json(text: #"{"result":"accepted"}"#) }
        Route(.get, "/orders/7") { _ in .json(text: #"{"stops":2}"#) }
      })
    try await files.store([TakingRecord("7", .ended(.unknown(.expired)), isDelivered: true)], server: server.url)
    let outcome = try await files.start(["reconcile", "7", "--server", server.url.absoluteString]).outcome()
    #expect(outcome.status == 0 && outcome.output.hasSuffix("Order 7 is yours: {\"stops\":2}\n"), "\(outcome)")
    #expect(try await files.records().map(\.state) == [.accepted])
    await server.stop(grace: .zero)
  }

  @Test("work finishes the order of a killed process, and releases the rest at a signal") func work() async throws {
    let undecided = try await UndecidedServer()
    try await files.store([TakingRecord("7")], server: undecided.server.url)
    let process = try files.start(["work"], with: undecided.server)
    for await _ in undecided.requests { break }
    undecided.decide()
    while let line = await process.nextLine(), line != #"Order 7 is yours: {"stops":2}"# {}
    process.interrupt()
    let outcome = await process.outcome()
    #expect(outcome.status == 130, "\(outcome)")
    #expect(try await files.records().map { $0.state == .accepted && $0.isDelivered } == [true])
    await undecided.server.close(grace: .zero)
  }

  @Test("a journal is not used with another server, and equivalent URLs name the same server")
  func journalOfOtherServer() async throws {
    let server = try await knownServer()
    #expect(try await files.run("take", "7", with: server).status == 0)
    for words in [["status"], ["resume", "--server", "http://127.0.0.1:9"]] {
      let outcome = try await files.start(words).outcome()
      #expect(outcome.status == 1 && outcome.errors.contains("holds orders of http://127.0.0.1:"), "\(outcome)")
    }
    let same = try await files.start(["status", "--server", server.url.absoluteString.uppercased() + "/"]).outcome()
    #expect(same.status == 0, "\(same)")
    await server.close(grace: .zero)
  }

  @Test(
    "a file that is not a journal is not changed, and the error says so", arguments: ["take", "resume", "status"])
  func foreignJournalFile(command: String) async throws {
    let letter = "Dear Ann,\n\nthe parcels are late.\n"
    try letter.write(toFile: files.journal, atomically: true, encoding: .utf8)
    let outcome = try await files.run(command)
    #expect(outcome.status == 1 && outcome.errors.contains("was not changed"), "\(outcome)")
    #expect(try String(contentsOfFile: files.journal, encoding: .utf8) == letter)
  }
}
