import Foundation
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
    // Otherwise, the response to the first PUT could end the command before the push channel connects.
    let outcome = try await DemoProcess.run("order", "take", "tour-1", "--faults", "script=503")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.contains { $0.contains(#/^ +\d+\.\d{3} s  http    tour-1  PUT sent$/#) })
    #expect(lines.contains { $0.contains(#/^ +\d+\.\d{3} s  push    connecting$/#) })
    #expect(lines.last == #"Order tour-1 is yours: {"id":"tour-1","parcels":2,"from":"Depot 2"}"#)
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test("without an order, take takes the first open one")
  func takeFirst() async throws {
    let outcome = try await DemoProcess.run("order", "take", "--quiet")
    #expect(outcome.status == 0 && outcome.output.hasPrefix("Order tour-1 is yours: "), "\(outcome)")
  }

  @Test("without an order, take requests the list again until its time limit")
  func takeFirstDespiteFaults() async throws {
    let failures = Locked(8)
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/orders") { _ in
          let isFailure = failures.withLock { count in
            count -= 1
            return count >= 0
          }
          return isFailure ? HTTPResponse(503) : .json(text: #"{"orders":["7"]}"#)
        }
        Route(.put, "/orders/7/taking") { _ in .json(text: #"{"result":"declined","reason":"late"}"#) }
      })
    let outcome = try await DemoProcess.run("order", "take", "--server", server.url.absoluteString)
    #expect(outcome.status == 1 && outcome.errors.contains("Order 7 was declined: late."), "\(outcome)")
    await server.stop(grace: .zero)
  }

  @Test("take succeeds despite simulated faults and shows each fault")
  func takeWithFaults() async throws {
    let outcome = try await DemoProcess.run("order", "take", "tour-1", "--faults", "script=503/lost/reset-after")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("fault: response lost after processing on PUT /orders/tour-1/taking"))
    #expect(outcome.output.contains("PUT failed: status 503"))
    #expect(outcome.output.contains("GET of the details sent"), "\(outcome.output)")
  }

  @Test("take --quiet prints only the result")
  func quietTake() async throws {
    let taken = try await DemoProcess.run("order", "take", "tour-1", "--faults", "script=503", "--quiet")
    #expect(taken.status == 0 && taken.errors == "")
    #expect(taken.output == #"Order tour-1 is yours: {"id":"tour-1","parcels":2,"from":"Depot 2"}"# + "\n")
    let declined = try await DemoProcess.run("order", "take", "tour-3", "-q")
    #expect(declined.status == 1 && declined.output == "" && declined.errors.hasPrefix("Error: "))
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
    let status = try await files.run("status", "--json")
    for data in [try #require(lines.last), Data(status.output.utf8)] {
      let line = try JSONDecoder().decode(Line.self, from: data)
      #expect(line.state == "declined" && line.reason == "order_cancelled", "\(status)")
    }
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
    let many = try await DemoProcess.run("order", "simulate", "--count", "50", "--liveness", "--json")
    #expect(many.output.contains(#""worlds":50"#) && many.output.contains(#""violations":[]"#))
  }
}

@Suite("Order commands with a journal", .timeLimit(.minutes(5)))
final class OrderJournalTests: Sendable {
  private let files: OrderFiles

  init() throws { files = try OrderFiles() }

  private func knownServer() async throws -> OrderServer {
    try await OrderServer.start(
      .init(offers: [OfferedOrder("7", details: #"{"stops":2}"#)], credentials: ["t": "ann"]))
  }

  @Test("resume finishes the order of a killed process with the same idempotency key")
  func killedTake() async throws {
    let undecided = try await UndecidedServer()
    let process = try files.start(["take", "7", "--timeout", "120"], with: undecided.server)
    for await _ in undecided.puts { break }
    process.kill()
    #expect(await process.outcome().status == -9)
    let key = try #require(undecided.key())
    undecided.decide()
    let resumed = try await files.run("resume", with: undecided.server)
    #expect(resumed.status == 0 && resumed.output.hasSuffix("Order 7 is yours: {\"stops\":2}\n"), "\(resumed)")
    #expect(undecided.key() == key)
    let status = try await files.run("status", "7", with: undecided.server)
    #expect(status.output == "7  accepted  key \(key)\n")
    let again = try await files.run("resume", with: undecided.server)
    #expect(again.status == 0 && again.output.hasSuffix("Nothing to resume in \(files.journal).\n"), "\(again)")
    await undecided.server.stop(grace: .zero)
  }

  @Test("an interrupted take and an interrupted resume keep the idempotency key")
  func interruptedTake() async throws {
    let undecided = try await UndecidedServer()
    var keys: Set<IdempotencyKey> = []
    for (words, problem, next) in [
      (
        ["take", "7"], "The outcome of order 7 is unknown: cancelled before the server answered.",
        "Its idempotency key stays the same."
      ), (["resume"], "Interrupted. Unfinished orders: 1.", "Finish them with 'demo order resume'."),
    ] {
      let process = try files.start(words + ["--timeout", "120"], with: undecided.server)
      for await _ in undecided.puts { break }
      process.interrupt()
      let outcome = await process.outcome()
      #expect(outcome.status == 130 && outcome.errors.hasPrefix("Error: \(problem)"), "\(outcome)")
      #expect(outcome.errors.contains(next), "\(outcome)")
      keys.insert(try #require(try files.records().first).intent.key)
    }
    undecided.decide()
    let resumed = try await files.run("resume", with: undecided.server)
    #expect(resumed.status == 0 && resumed.output.hasSuffix("Order 7 is yours: {\"stops\":2}\n"), "\(resumed)")
    #expect(keys == [try #require(undecided.key())])
    await undecided.server.stop(grace: .zero)
  }

  @Test("an order without details is reported as taken, and resume fetches the details")
  func missingDetails() async throws {
    let (requests, request) = AsyncStream.makeStream(of: Void.self)
    let hasDetails = Locked(false)
    let server = try await HTTPServer.start(
      Router {
        Route(.put, "/orders/7/taking") { _ in .json(text: #"{"result":"accepted"}"#) }
        Route(.get, "/orders/7") { _ -> HTTPReply in
          request.yield()
          return hasDetails.withLock { $0 } ? .response(.json(text: #"{"stops":2}"#)) : .never
        }
      })
    let address = ["--server", server.url.absoluteString]
    let process = try files.start(["take", "7", "--timeout", "120"] + address)
    for await _ in requests { break }
    process.interrupt()
    let outcome = await process.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("Order 7 is yours: no details received. Get them with 'demo order resume'."))
    hasDetails.withLock { $0 = true }
    let resumed = try await files.start(["resume"] + address).outcome()
    #expect(resumed.status == 0 && resumed.output.hasSuffix("Order 7 is yours: {\"stops\":2}\n"), "\(resumed)")
    await server.stop(grace: .zero)
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
    await server.stop(grace: .zero)
  }

  @Test("resume ends an hour-old intent that the server does not know, and take uses a new key")
  func resumeEndsHourOldIntent() async throws {
    let server = try await knownServer()
    let record = TakingRecord("7", .ended(.unknown(.cancelled)), age: .seconds(3_600), isDelivered: true)
    try await files.store([record], server: server.url)
    let outcome = try await files.run("resume", with: server)
    let text = "Order 7 was not taken: the server has no record of it. Take it again."
    #expect(outcome.status == 1 && outcome.errors.contains(text), "\(outcome)")
    #expect(try await files.run("resume", with: server).output.contains("Nothing to resume"))
    let taken = try await files.run("take", "7", with: server)
    #expect(taken.status == 0 && server.orders["7"]?.taking?.key != record.intent.key, "\(taken)")
    await server.stop(grace: .zero)
  }

  @Test(
    "resume repeats the PUT of a minute-old intent under the same key, even if its outcome was unknown",
    arguments: [
      (TakingCheckpoint.begun, false), (.ended(.unknown(.expired)), false), (.ended(.unknown(.expired)), true),
    ])
  func resumeRepeatsMinuteOldIntent(checkpoint: TakingCheckpoint, isDelivered: Bool) async throws {
    let server = try await knownServer()
    let record = TakingRecord("7", checkpoint, age: .seconds(60), isDelivered: isDelivered)
    try await files.store([record], server: server.url)
    let outcome = try await files.run("resume", with: server)
    #expect(outcome.status == 0 && server.orders["7"]?.taking?.key == record.intent.key, "\(outcome)")
    await server.stop(grace: .zero)
  }

  @Test("resume prints each outcome at once, even while an earlier order is open")
  func resumePrintsAtOnce() async throws {
    let undecided = try await UndecidedServer([
      OfferedOrder("slow", decidedAfter: .seconds(1)), OfferedOrder("fast", details: "{}"),
    ])
    try await files.store([TakingRecord("slow", key: 1), TakingRecord("fast", key: 2)], server: undecided.server.url)
    let process = try files.start(["resume", "--timeout", "120"], with: undecided.server)
    var line = await process.nextLine()
    while let text = line, text != "Order fast is yours: {}" { line = await process.nextLine() }
    #expect(line != nil)
    process.interrupt()
    let outcome = await process.outcome()
    #expect(outcome.status == 130 && outcome.errors.contains("Unfinished orders: 1."), "\(outcome)")
    #expect(try files.records().filter { !$0.isDelivered }.map(\.intent.order) == ["slow"])
    await undecided.server.stop(grace: .zero)
  }

  @Test("a result that could not be printed is part of the error, and resume prints it again")
  func unwrittenResult() async throws {
    let full = try await DemoProcess.bash("$demo order take tour-1 --journal '\(files.journal)' > /dev/full")
    #expect(full.status == 1 && full.errors.hasPrefix("Error: Cannot write to standard output: "), "\(full)")
    #expect(full.errors.contains(" Order tour-1 is yours: {"), "\(full)")
    #expect(try files.records().map(\.isDelivered) == [false])
    let resumed = try await files.run("resume")
    #expect(resumed.status == 0 && resumed.output.contains("Order tour-1 is yours"), "\(resumed)")
    #expect(try await files.run("resume").output.contains("Nothing to resume"))
  }

  @Test("status asks the server, prints the details, and leaves nothing to resume")
  func statusReportsDetails() async throws {
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/orders/7/taking") { _ in .json(text: #"{"result":"accepted"}"#) }
        Route(.get, "/orders/7") { _ in .json(text: #"{"stops":2}"#) }
      })
    try await files.store([TakingRecord("7")], server: server.url)
    let address = ["--server", server.url.absoluteString]
    let status = try await files.start(["status"] + address).outcome()
    #expect(status.status == 0 && status.output == "Order 7 is yours: {\"stops\":2}\n", "\(status)")
    let resumed = try await files.start(["resume"] + address).outcome()
    #expect(resumed.output.hasSuffix("Nothing to resume in \(files.journal).\n"), "\(resumed)")
    await server.stop(grace: .zero)
  }

  @Test("status reports an unknown outcome with exit code 3, and needs no server for known ones")
  func statusOfUnknownOutcome() async throws {
    let nowhere = try #require(URL(string: "http://127.0.0.1:9"))
    let known = TakingRecord("8", .ended(.declined(reason: "late")), isDelivered: true)
    try await files.store([TakingRecord("7"), known], server: nowhere)
    let address = ["--server", nowhere.absoluteString]
    let outcome = try await files.start(["status", "--timeout", "0.5"] + address).outcome()
    #expect(outcome.status == 3 && outcome.output.contains("8  declined: late  key"), "\(outcome)")
    #expect(outcome.errors.contains("The outcome of order 7 is unknown"), "\(outcome)")
    let one = try await files.start(["status", "8"] + address).outcome()
    #expect(one.status == 0 && one.errors.isEmpty && one.output.hasPrefix("8  declined: late"), "\(one)")
    let missing = try await files.start(["status", "9"] + address).outcome()
    #expect(missing.status == 1 && missing.errors.contains("has no record of order 9"), "\(missing)")
  }

  @Test("status shows the records of a journal that another process uses")
  func statusOfLockedJournal() async throws {
    try await files.store([TakingRecord("7"), TakingRecord("8", .ended(.declined(reason: "late")))])
    let owner = try SQLiteJournal<String>(at: files.journal, server: "the server that demo order starts itself")
    defer { owner.close() }
    let all = try await files.run("status")
    #expect(all.status == 0 && all.output.contains("7  begun") && all.output.contains("8  declined: late"), "\(all)")
    #expect(all.errors.contains("Another process uses the journal"), "\(all)")
    #expect(try await files.run("resume").status == 1)
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
    await server.stop(grace: .zero)
  }

  @Test(
    "a file that is not a journal is not changed, and the error says so", arguments: ["take", "resume", "status"])
  func foreignJournalFile(command: String) async throws {
    let letter = "Dear Ann,\n\nthe parcels are late.\n"
    try letter.write(toFile: files.journal, atomically: true, encoding: .utf8)
    let outcome = try await files.run(command)
    #expect(outcome.status == 1 && outcome.errors.contains("is not a journal, and was not changed"), "\(outcome)")
    #expect(try String(contentsOfFile: files.journal, encoding: .utf8) == letter)
  }

  @Test("names with the same characters but different bytes are different orders")
  func canonicallyEquivalentNames() async throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let server = try await OrderServer.start(
      .init(
        offers: [OfferedOrder(composed, details: "{}"), OfferedOrder(decomposed, verdict: .decline(reason: "late"))],
        credentials: ["t": "ann"]))
    try await files.store([TakingRecord(composed, key: 1), TakingRecord(decomposed, key: 2)], server: server.url)
    let outcome = try await files.run("resume", with: server)
    #expect(outcome.status == 1, "\(outcome)")
    #expect(Data(outcome.output.utf8).range(of: Data("Order \(composed) is yours: {}\n".utf8)) != nil)
    #expect(Data(outcome.errors.utf8).range(of: Data("Order \(decomposed) was declined: late".utf8)) != nil)
    let status = try await files.run("status", decomposed, with: server)
    #expect(status.output.split(separator: "\n").count == 1 && status.output.contains("declined: late"), "\(status)")
    await server.stop(grace: .zero)
  }
}
