import Foundation
import Futures
import OrderTaking
import OrderTakingJournal
import OrderTakingTesting
import TestSupport
import Testing

@Suite("A killed process", .serialized, .timeLimit(.minutes(5))) struct KillTests {
  let folder = Folder()

  private func probe(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess(ChildProcess.path(besideTests: "OrderTakingProbe"), [folder.file] + arguments)
  }

  @Test("after random kills every operation ends under its own key") func killed() async throws {
    var numbers = SeededGenerator(seed: 5)
    var keys: [Int: String] = [:]
    var ended: Set<Int> = []
    for round in 0..<8 {
      let process = try probe("take", "\(round * 10_000)")
      for line in await process.kill(afterLines: Int.random(in: 2...120, using: &numbers)) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count > 1, let order = Int(words[1]) else { continue }
        if words[0] == "put" {
          #expect(keys[order] ?? words[2] == words[2], "order \(order) was put under two keys")
          keys[order] = words[2]
          #expect(!ended.contains(order), "order \(order) was put again after its end")
        } else {
          ended.insert(order)
        }
      }
      let journal = try folder.open()
      #expect(journal.recovery == nil)
      let records = try await journal.records().get()
      for (order, key) in keys {
        let record = try #require(records.first { $0.intent.order == order }, "the journal has no order \(order)")
        #expect(record.intent.key.description == key)
        #expect(record.hasKnownOutcome || !ended.contains(order))
      }
      journal.close()
    }

    let journal = try folder.open()
    let experiment = Experiment<Int, String>(putRequestResults: [])
    let taker = experiment.setup(journal: journal.journal)
    experiment.httpClient.takeClosure = { _ in Future(value: .accepted) }
    experiment.httpClient.takingOperationStatusClosure = { _ in Future(value: .accepted) }
    experiment.httpClient.acceptedOrderDetailsClosure = { _ in Future(value: "details") }
    for resumed in try await taker.resume().get() { _ = try await resumed.future.get() }
    #expect(try await journal.records().get().allSatisfy(\.hasKnownOutcome))
    #expect(keys.count > 20 && ended.count > 5)
  }

  @Test("a confirmed write is in the journal after a kill before or after any statement", arguments: [false, true])
  func killedAtEachStatement(isBefore: Bool) async throws {
    var kills = 0
    for statement in 1...60 {
      let process = try probe(isBefore ? "die-before" : "die-after", "\(statement)")
      var confirmed: [Int] = []
      var last: String?
      while let line = await process.line() {
        last = line
        if line.hasPrefix("written"), let order = Int(line.dropFirst(8)) { confirmed.append(order) }
      }
      guard await process.outcome().status == -SIGKILL else {
        #expect(last == "done")
        break
      }
      kills += 1
      let journal = try folder.open()
      #expect(journal.recovery == nil)
      let found = try await journal.records().get().map(\.intent.order)
      // The unconfirmed order may be recorded too, but no later order.
      #expect(found == Array(0..<confirmed.count) || found == Array(0...confirmed.count))
      journal.close()
      try folder.removeAll()
    }
    #expect((20..<60).contains(kills))
  }

  @Test("an outcome that was recorded and not delivered is delivered by the next process")
  func killedBeforeDelivery() async throws {
    let dying = try probe("undelivered", "100")
    let undelivered = await dying.kill(afterLines: 1 + 2 * 12).filter { $0.hasPrefix("undelivered") }
    #expect(undelivered.count == 12)
    do {
      let journal = try folder.open()
      let records = try await journal.records().get()
      #expect(records.count == 12 && records.allSatisfy { !$0.isUnfinished && !$0.isDelivered })
      journal.close()
    }
    // The next process delivers them, and puts none of them again.
    let next = try probe("resume", "1000")
    let lines = await next.kill(afterLines: 1 + 12 + 1)
    #expect(Set(lines.filter { $0.hasPrefix("end") }) == Set((100..<112).map { "end \($0)" }))
    #expect(!lines.contains { $0.hasPrefix("put") } && lines.last == "resumed")
    // It was killed after it had recorded the delivery, so the last process delivers nothing.
    let last = try probe("resume", "1000")
    #expect(await last.kill(afterLines: 2) == ["open", "resumed"])
  }

  @Test("a journal is locked until its process ends") func lockedByProcess() async throws {
    let process = try probe("take", "0")
    _ = await process.line()
    let error = #expect(throws: JournalError.self) { try folder.open() }
    #expect(error?.kind == .inUse)
    #expect(error?.description.contains("already open in this process or another one") == true)
    _ = await process.kill(afterLines: 0)
    #expect(throws: Never.self) { try folder.open() }
  }

  @Test("another process can list the records of a journal in use, and changes no file") func listing() async throws {
    let process = try probe("take", "0")
    while let line = await process.line(), line != "end 0" {}
    let found = try SQLiteJournal<Int>.records(at: folder.file)
    #expect(found.contains { $0.intent.order == 0 })
    _ = await process.kill(afterLines: 0)

    // After the kill, the log has records that are not in the file of the tables.
    let (names, file, log) = (folder.names, try folder.bytes(), try folder.logBytes())
    let index = try Folder.bytes(of: folder.file + "-shm")
    let left = try SQLiteJournal<Int>.records(at: folder.file)
    #expect(folder.names == names)
    #expect(try folder.bytes() == file && folder.logBytes() == log)
    #expect(try Folder.bytes(of: folder.file + "-shm") == index)
    #expect(try await folder.open().records().get() == left)
  }

  @Test("writes beyond the size limit of files fail, and no confirmed record is lost") func limited()
    async throws
  {
    let process = try probe("limited", "200000")
    var confirmed = 0
    var errors: Set<String> = []
    while let line = await process.line(), line != "done" {
      if line.hasPrefix("written") { confirmed += 1 } else if line != "open" { errors.insert(line) }
    }
    #expect(await process.outcome().status == 0)
    #expect(confirmed > 5 && !errors.isEmpty)
    #expect(errors.isSubset(of: ["unknown outcome", "storage"]))
    let journal = try folder.open()
    #expect(journal.recovery == nil)
    #expect(try await journal.records().get().count >= confirmed)
  }
}

extension ChildProcess {
  fileprivate func kill(afterLines count: Int) async -> [String] {
    var lines: [String] = []
    while lines.count < count, let line = await line() { lines.append(line) }
    send(SIGKILL)
    while let line = await line() { lines.append(line) }
    #expect(await outcome().status == -SIGKILL)
    return lines
  }
}
