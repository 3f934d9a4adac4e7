import Boundaries
import Foundation
import OrderTakingJournal
import OrderTakingServer
import ParallelTesting
import TestSupport
import Testing

@Suite("Journal shared by two processes", .timeLimit(.minutes(5)))
struct SharedJournalTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a process takes over a dead process's journal and finishes its order under the same key")
  func journalTakeover() async throws {
    let dispatch = try await TestOrderServer(OfferedOrder("7", details: #"{"stops":2}"#, decidedAfter: .seconds(3)))
    let path = folder.file("orders.sqlite")
    let options = ["--server", dispatch.server.url.absoluteString, "--token", "ann's", "--journal", path]
    let first = try ChildProcess.demo(["order", "take", "7", "--timeout", "120"] + options)
    await dispatch.waitForRequest("PUT /orders/7/taking")
    let key = try #require(dispatch.server.orders["7"]?.taking?.key)
    let refusal = #expect(throws: JournalError.self) {
      try SQLiteJournal<String>(at: path, server: dispatch.server.url.absoluteString)
    }
    #expect(refusal?.kind == .inUse)
    first.send(SIGKILL)
    #expect(await first.outcome().status == -SIGKILL)

    let journal = try SQLiteJournal<String>(at: path, server: dispatch.server.url.absoluteString)
    #expect(journal.recovery == nil)
    let taker = await dispatch.driver(journal: journal.journal)
    let resumed = try await taker.resume().get()
    #expect(resumed.map(\.order) == ["7"])
    dispatch.clock.advance(by: .seconds(3))
    #expect(try await resumed.first?.future.get().details == #"{"stops":2}"#)
    #expect(dispatch.server.orders["7"]?.taking?.key == key)

    // Now this process owns the journal, and the command is refused until the journal closes.
    let refused = try await ChildProcess.demo(["order", "resume"] + options).outcome()
    #expect(refused.status == 25 && refused.errors.contains("already open in this process or"), "\(refused)")
    journal.close()
    let reported = try await ChildProcess.demo(["order", "status", "7"] + options).outcome()
    #expect(reported.status == 0 && reported.output == "7  accepted  key \(key)\n", "\(reported)")
    await dispatch.server.stop()
  }

  @Test("one of two processes that open a journal at the same time gets it, and the other one exits")
  func journalRace() async throws {
    for round in 0..<5 {
      let path = folder.file("race-\(round).sqlite")
      let probes = try (0..<2).map { try ChildProcess.orderTakingProbe(path, "take", "\($0)000000") }
      async let second = probes[1].line()
      let first = await probes[0].line()
      let lines = [first, await second]
      let winner = try #require(lines.firstIndex(of: "open"), "\(lines)")
      #expect(lines[1 - winner] == nil)
      let loser = await probes[1 - winner].outcome()
      #expect(loser.status != 0 && loser.errors.contains("already open in this process or another one"), "\(loser)")
      // The probe records an order before it sends the request.
      let put = try #require(await probes[winner].line()).split(separator: " ")
      let order = try #require(put.first == "put" ? Int(put[1]) : nil, "\(put)")
      probes[winner].send(SIGKILL)
      _ = await probes[winner].outcome()
      let orders = try SQLiteJournal<Int>.records(at: path).map(\.intent.order)
      #expect(orders.contains(order) && orders.allSatisfy { ($0 >= 1_000_000) == (winner == 1) }, "\(orders)")
    }
  }
}
