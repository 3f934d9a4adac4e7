import Foundation
import Loopback
import OrderTaking
import OrderTakingJournal
import OrderTakingServer
import TestSupport
import Testing

@Suite("Commands order take, list, resume, status and simulate", .timeLimit(.minutes(5)))
final class OrderCommandTests: Sendable {
  private let files: OrderFiles

  init() throws { files = try OrderFiles() }

  var folder: URL { files.folder }
  var journal: String { files.journal }

  @Test("take shows both channels of the embedded server")
  func takeShowsBothChannels() async throws {
    // Otherwise, the response to the first PUT could end the command before the push channel connects.
    let outcome = try await DemoProcess.run("order", "take", "tour-1", "--faults", "script=503")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.contains { $0.contains(#/^ +\d+\.\d{3} s  http    tour-1  PUT 1 sent$/#) })
    #expect(lines.contains { $0.contains(#/^ +\d+\.\d{3} s  push    connecting$/#) })
    #expect(lines.last == #"Order tour-1 is yours: {"id":"tour-1","parcels":2,"from":"Depot 2"}"#)
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test("without an order, take takes the first open one") func takeFirst() async throws {
    let outcome = try await DemoProcess.run("order", "take", "--quiet")
    #expect(outcome.status == 0 && outcome.output.hasPrefix("Order tour-1 is yours: "), "\(outcome)")
  }

  @Test("take succeeds despite simulated faults and shows each fault")
  func takeWithFaults() async throws {
    let outcome = try await DemoProcess.run("order", "take", "tour-1", "--faults", "script=503/lost/reset-after")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("fault: response lost after processing on PUT /orders/tour-1/taking"))
    #expect(outcome.output.contains("PUT 1 failed: status 503"))
    // Pauses do not count as attempts.
    for kind in ["PUT", "GET", "details"] {
      let sent = outcome.output.split(separator: "\n").filter { $0.contains(" \(kind) ") && $0.hasSuffix(" sent") }
      for (index, line) in sent.enumerated() { #expect(line.hasSuffix(" \(kind) \(index + 1) sent")) }
    }
    #expect(outcome.output.contains("PUT 2 sent") && outcome.output.contains("details 1 sent"), "\(outcome.output)")
  }

  @Test("take --quiet prints only the result")
  func quietTake() async throws {
    let taken = try await DemoProcess.run("order", "take", "tour-1", "--faults", "script=503", "--quiet")
    #expect(taken.status == 0 && taken.errors == "")
    #expect(taken.output == #"Order tour-1 is yours: {"id":"tour-1","parcels":2,"from":"Depot 2"}"# + "\n")
    let declined = try await DemoProcess.run("order", "take", "tour-3", "-q")
    #expect(declined.status == 20 && declined.output == "" && declined.errors.hasPrefix("Error: "))
  }

  @Test("take --json prints only JSON lines on standard output")
  func jsonOutput() async throws {
    struct Line: Decodable { let channel: String?, order: String?, state: String?, reason: String? }
    let outcome = try await DemoProcess.run("order", "take", "tour-3", "--json", "--journal", journal)
    #expect(outcome.status == 20)
    let lines = try outcome.output.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    #expect(lines.last?.state == "declined" && lines.last?.reason == "order_cancelled")
    #expect(Set(lines.compactMap(\.channel)).isSuperset(of: ["server", "http", "push", "end"]))
    #expect(outcome.errors.contains("Order tour-3 was declined: order_cancelled. Choose another order"))
    let status = try await DemoProcess.run("order", "status", "--json", "--journal", journal)
    let line = try JSONDecoder().decode(Line.self, from: Data(status.output.utf8))
    #expect(
      line.state == "declined" && line.reason == "order_cancelled", "status has the same state and reason: \(status)")
  }

  @Test("list prints the open orders")
  func listOpenOrders() async throws {
    let outcome = try await DemoProcess.run("order", "list")
    #expect(outcome.status == 0 && outcome.output.split(separator: "\n").count == 12)
    #expect(try await DemoProcess.run("order", "list", "--json").output.hasPrefix(#"{"order":"tour-1"}"#))
  }

  /// Starts a server whose timers fire only when `fireTimers` is called, and returns it with its requests.
  private func server() async throws -> (OrderServer, requests: AsyncStream<String>, fireTimers: @Sendable () -> Void) {
    let due = Locked<[@Sendable () -> Void]>([])
    let timers = Timers(
      schedule: { _, callback in
        due.withLock { $0.append(callback) }
        return {}
      }, now: { Moment(sinceEpoch: .zero, sinceBoot: .zero) })
    let (requests, request) = AsyncStream.makeStream(of: String.self)
    let server = try await OrderServer.start(
      .init(
        offers: [OfferedOrder("7", details: #"{"stops":2}"#, decidedAfter: .seconds(1))], credentials: ["t": "ann"]),
      timers: timers
    ) { event in
      if case .request(let method, let path, _, _, _) = event { request.yield("\(method) \(path)") }
    }
    return (
      server, requests,
      {
        let callbacks = due.withLock { due in
          defer { due = [] }
          return due
        }
        for callback in callbacks { callback() }
      }
    )
  }

  @Test("an interrupted take reports that the outcome is unknown, and resume finishes it under the same key")
  func interruptedTake() async throws {
    let (server, requests, fireTimers) = try await server()
    let shared = [
      "--server", server.url.absoluteString, "--push", "127.0.0.1:\(server.pushPort)", "--token", "t", "--journal",
      journal,
    ]
    let process = try DemoProcess.start(["order", "take", "7", "--timeout", "120"] + shared)
    for await request in requests where request == "PUT /orders/7/taking" { break }
    process.interrupt()
    let outcome = await process.outcome()
    #expect(outcome.status == 130, "\(outcome.output) \(outcome.errors)")
    let same =
      "--journal \(journal) --server \(server.url.absoluteString) --token TOKEN --push 127.0.0.1:\(server.pushPort)"
    #expect(
      outcome.errors.contains("The outcome of order 7 is unknown")
        && outcome.errors.contains("demo order resume \(same)"))
    let key = try #require(server.orders["7"]?.taking?.key.description)
    fireTimers()
    let resumed = try await DemoProcess.start(["order", "resume"] + shared).outcome()
    #expect(resumed.status == 0 && resumed.output.hasSuffix("Order 7 is yours: {\"stops\":2}\n"), "\(resumed)")
    let status = try await DemoProcess.start(["order", "status", "7"] + shared).outcome()
    #expect(status.output == "7  accepted  key \(key)\n")
    let again = try await DemoProcess.start(["order", "resume"] + shared).outcome()
    #expect(again.status == 0 && again.output.hasSuffix("Nothing to resume in \(journal).\n"), "\(again)")
    await server.stop(grace: .zero)
  }

  @Test("resume finishes the order of a killed process")
  func killedTake() async throws {
    let (server, requests, fireTimers) = try await server()
    let shared = ["--server", server.url.absoluteString, "--token", "t", "--journal", journal]
    let process = try DemoProcess.start(["order", "take", "7", "--timeout", "120"] + shared)
    for await request in requests where request == "PUT /orders/7/taking" { break }
    process.kill()
    #expect(await process.outcome().status == -9)
    fireTimers()
    let resumed = try await DemoProcess.start(["order", "resume"] + shared).outcome()
    #expect(resumed.status == 0 && resumed.output.hasSuffix("Order 7 is yours: {\"stops\":2}\n"), "\(resumed)")
    await server.stop(grace: .zero)
  }

  @Test("resume does not report a result that take has already reported")
  func resultIsReportedOnce() async throws {
    // Repeated, because the end of the command once raced with the record of the reported result.
    for _ in 0..<8 {
      let path = folder.appending(path: "\(UUID()).sqlite").path
      #expect(try await DemoProcess.run("order", "take", "tour-3", "--journal", path).status == 20)
      let resumed = try await DemoProcess.run("order", "resume", "--journal", path)
      #expect(resumed.status == 0 && resumed.output.hasSuffix("Nothing to resume in \(path).\n"), "\(resumed)")
    }
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
    let shared = ["--server", server.url.absoluteString, "--token", "t", "--journal", journal]
    let process = try DemoProcess.start(["order", "take", "7", "--timeout", "120"] + shared)
    for await _ in requests { break }
    process.interrupt()
    let outcome = await process.outcome()
    #expect(
      outcome.status == 0
        && outcome.output.contains(
          "Order 7 is yours: no details received. Retry with: demo order resume --journal \(journal)"),
      "\(outcome)")
    hasDetails.withLock { $0 = true }
    let resumed = try await DemoProcess.start(["order", "resume"] + shared).outcome()
    #expect(resumed.status == 0 && resumed.output.hasSuffix("Order 7 is yours: {\"stops\":2}\n"), "\(resumed)")
    await server.stop(grace: .zero)
  }

  @Test(
    "a file that is not a journal is not changed, and the error says so", arguments: ["take", "resume", "status"])
  func foreignJournalFile(command: String) async throws {
    let letter = "Dear Ann,\n\nthe parcels are late.\n"
    try letter.write(toFile: journal, atomically: true, encoding: .utf8)
    let outcome = try await DemoProcess.run("order", command, "--journal", journal)
    #expect(outcome.status == 25 && outcome.errors.contains("is not a journal, and was not changed"), "\(outcome)")
    #expect(try String(contentsOfFile: journal, encoding: .utf8) == letter)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["takings.sqlite"])
  }

  /// Writes a journal record of an earlier process's intent.
  @discardableResult
  private func writeToJournal(
    _ checkpoint: TakingCheckpoint, of order: String = "7", isDelivered: Bool, age: Duration, server: URL?
  ) async throws -> IdempotencyKey {
    let record = TakingRecord(order, checkpoint, age: age, isDelivered: isDelivered)
    try await files.store([record], server: server)
    return record.intent.key
  }

  @Test(
    "resume never repeats the request of an old intent, and take repeats it under the same key",
    arguments: [TakingCheckpoint.begun, .ended(.unknown(.cancelled))])
  func resumeDoesNotRepeatOldIntent(checkpoint: TakingCheckpoint) async throws {
    let (requests, request) = AsyncStream.makeStream(of: String.self)
    let server = try await OrderServer.start(
      .init(offers: [OfferedOrder("7", details: #"{"stops":2}"#)], credentials: ["t": "ann"])
    ) { event in
      if case .request(let method, let path, _, _, _) = event { request.yield("\(method) \(path)") }
    }
    let shared = ["--server", server.url.absoluteString, "--token", "t", "--journal", journal]
    let isDelivered = checkpoint != .begun
    let key = try await writeToJournal(checkpoint, isDelivered: isDelivered, age: .seconds(300), server: server.url)
    for _ in 0..<3 {
      let outcome = try await DemoProcess.start(["order", "resume"] + shared).outcome()
      #expect(
        outcome.status == 22 && outcome.errors.contains("take it again with the same idempotency key"), "\(outcome)")
    }
    #expect(server.orders["7"]?.taking == nil)
    let taken = try await DemoProcess.start(["order", "take", "7"] + shared).outcome()
    #expect(taken.status == 0 && server.orders["7"]?.taking?.key == key, "\(taken)")
    await server.stop(grace: .zero)
    request.finish()
    var seen: [String] = []
    for await request in requests { seen.append(request) }
    #expect(
      seen == Array(repeating: "GET /orders/7/taking", count: 3) + ["PUT /orders/7/taking", "GET /orders/7"])
  }

  @Test("resume ends an hour-old intent that the server does not know, and take uses a new key")
  func resumeEndsHourOldIntent() async throws {
    let server = try await OrderServer.start(
      .init(offers: [OfferedOrder("7", details: #"{"stops":2}"#)], credentials: ["t": "ann"]))
    let shared = ["--server", server.url.absoluteString, "--token", "t", "--journal", journal]
    let key = try await writeToJournal(
      .ended(.unknown(.cancelled)), isDelivered: true, age: .seconds(3_600), server: server.url)
    let outcome = try await DemoProcess.start(["order", "resume"] + shared).outcome()
    // The server responded, so the message does not suggest to check it.
    let same = "--journal \(journal) --server \(server.url.absoluteString) --token TOKEN"
    #expect(
      outcome.status == 23
        && outcome.errors.hasSuffix(
          "Order 7 was not taken: the server has no record of it. Take it again: demo order take 7 \(same)\n"),
      "\(outcome)")
    #expect(try await DemoProcess.start(["order", "resume"] + shared).outcome().output.contains("Nothing to resume"))
    let taken = try await DemoProcess.start(["order", "take", "7"] + shared).outcome()
    let fresh = try #require(server.orders["7"]?.taking?.key)
    #expect(taken.status == 0 && fresh != key, "\(taken)")
    await server.stop(grace: .zero)
  }

  @Test(
    "resume repeats the request of a minute-old intent, even if its outcome was unknown",
    arguments: [false, true])
  func resumeRepeatsMinuteOldIntent(hasEnded: Bool) async throws {
    let server = try await OrderServer.start(
      .init(offers: [OfferedOrder("7", details: #"{"stops":2}"#)], credentials: ["t": "ann"]))
    let key = try await writeToJournal(
      hasEnded ? .ended(.unknown(.expired)) : .begun, isDelivered: hasEnded, age: .seconds(60), server: server.url)
    let outcome = try await DemoProcess.run(
      "order", "resume", "--server", server.url.absoluteString, "--token", "t", "--journal", journal)
    #expect(outcome.status == 0 && server.orders["7"]?.taking?.key == key, "\(outcome)")
    await server.stop(grace: .zero)
  }

  @Test("resume finishes orders whose unknown outcome was not reported yet")
  func resumeFinishesUnreportedOrders() async throws {
    let orders = (1...20).map { "\($0)" }
    let server = try await OrderServer.start(
      .init(offers: orders.map { OfferedOrder($0, details: "{}") }, credentials: ["t": "ann"]))
    try await files.store(orders.map { TakingRecord($0, .ended(.unknown(.expired))) }, server: server.url)
    let outcome = try await DemoProcess.run(
      "order", "resume", "--server", server.url.absoluteString, "--token", "t", "--journal", journal)
    #expect(outcome.status == 0 && orders.allSatisfy { server.orders[$0]?.taking != nil }, "\(outcome)")
    await server.stop(grace: .zero)
  }

  @Test("status and resume exit with the most severe code of all orders, in any order")
  func mostSevereExitCode() async throws {
    // The server knows neither order. The request of the first one is too old to arrive; the other one may still arrive.
    let intents = [("6", Duration.seconds(3_600)), ("7", .seconds(300))]
    let server = try await OrderServer.start(
      .init(offers: intents.map { OfferedOrder($0.0, details: "{}") }, credentials: ["t": "ann"]))
    for (name, words) in [("status", ["status"]), ("resume", ["resume"])] {
      for (order, age) in intents {
        try await writeToJournal(.begun, of: order, isDelivered: false, age: age, server: server.url)
      }
      let outcome = try await DemoProcess.start(
        ["order"] + words + ["--server", server.url.absoluteString, "--token", "t", "--journal", journal]
      ).outcome()
      #expect(outcome.status == 23, "\(name): \(outcome)")
      #expect(
        outcome.errors.contains("Order 6 was not taken: the server has no record of it. Take it again"), "\(outcome)")
      #expect(outcome.errors.contains("The outcome of order 7 is unknown"), "\(outcome)")
      try FileManager.default.removeItem(atPath: journal)
    }
    await server.stop(grace: .zero)
  }

  @Test("status reports its requests and failures, and stops at its timeout")
  func statusWithoutServer() async throws {
    try await writeToJournal(
      .ended(.unknown(.expired)), isDelivered: true, age: .seconds(60), server: URL(string: "http://127.0.0.1:9"))
    let shared = ["order", "status", "--server", "http://127.0.0.1:9", "--journal", journal, "--timeout"]
    let outcome = try await DemoProcess.start(shared + ["0.001"]).outcome()
    #expect(outcome.status == 22 && outcome.output.hasPrefix("7  unknown  key 0"), "\(outcome)")
    #expect(outcome.errors.hasPrefix("Asking the server about 7, for at most 0.001 s.\n"), "\(outcome.errors)")
    // Each failure is reported when it happens.
    let longRunning = try ChildProcess(
      "/bin/bash", ["-c", #"exec "$0" "$@" 2>&1"#, ChildProcess.path(besideTests: "demo")] + shared + ["120"])
    var lines: [String] = []
    while let line = await longRunning.line() {
      lines.append(line)
      if line.contains("GET 2 failed: no connection") { break }
    }
    #expect(lines.first == "Asking the server about 7, for at most 120 s.")
    #expect(
      lines.contains { $0.contains("GET 1 failed: no connection") }
        && lines.last?.contains("GET 2 failed: no connection") == true, "\(lines)")
    longRunning.send(SIGKILL)
    _ = await longRunning.outcome()
    // No request is sent for an order with a known outcome.
    try FileManager.default.removeItem(atPath: journal)
    try await writeToJournal(
      .ended(.declined(reason: "late")), isDelivered: true, age: .seconds(60), server: URL(string: "http://127.0.0.1:9")
    )
    let reconciled = try await DemoProcess.run(
      "order", "status", "--server", "http://127.0.0.1:9", "--journal", journal)
    #expect(
      reconciled.status == 0 && reconciled.errors.isEmpty && reconciled.output.hasPrefix("7  declined: late"),
      "\(reconciled)")
  }

  @Test("simulate prints the same readable trace for the same seed")
  func simulateIsDeterministic() async throws {
    let first = try await DemoProcess.run("order", "simulate", "--seed", "42")
    #expect(first.status == 0)
    #expect(first.output.split(separator: "\n").count > 20)
    #expect(first.output.hasSuffix(" 0 violations\n"))
    #expect(try await DemoProcess.run("order", "simulate", "--seed", "42").output == first.output)
    #expect(try await DemoProcess.run("order", "simulate", "--seed", "\(UInt64.max)").status == 0)
    let many = try await DemoProcess.run("order", "simulate", "--count", "50", "--liveness", "--json")
    #expect(many.output.contains(#""worlds":50"#) && many.output.contains(#""violations":[]"#))
  }

  @Test("the help of take lists its exit codes")
  func helpListsExitCodes() async throws {
    let help = try await DemoProcess.run("order", "take", "--help")
    // The comparison ignores line breaks.
    #expect(
      help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "20 the server declined the order"))
    #expect(try await DemoProcess.run("order").output.contains("simulate"))
  }
}
