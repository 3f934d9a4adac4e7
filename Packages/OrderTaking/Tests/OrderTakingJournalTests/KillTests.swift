import Foundation
import Futures
import OrderTaking
import OrderTakingJournal
import OrderTakingTesting
import TestSupport
import Testing

@Suite("A process that is killed", .serialized, .timeLimit(.minutes(5))) struct KillTests {
  let folder = Folder()

  /// The process that is killed.
  private func probe(firstOrder: Int, mode: String = "take") throws -> ChildProcess {
    try ChildProcess(ChildProcess.path(besideTests: "OrderTakingProbe"), [folder.file, "\(firstOrder)", mode])
  }

  @Test("leaves a journal from which every operation ends, under its own key") func killed() async throws {
    var numbers = SeededGenerator(seed: 5)
    var keys: [Int: String] = [:]
    var ended: Set<Int> = []
    for round in 0..<8 {
      let process = try probe(firstOrder: round * 10_000)
      for line in await process.kill(afterLines: Int.random(in: 2...120, using: &numbers)) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count > 1, let order = Int(words[1]) else { continue }
        if words[0] == "put" {
          #expect(keys[order] ?? words[2] == words[2], "order \(order) was put under two keys")
          keys[order] = words[2]
          #expect(!ended.contains(order), "order \(order) had ended, and was put again")
        } else {
          ended.insert(order)
        }
      }
      let journal = try SQLiteJournal<Int>(at: folder.file)
      #expect(journal.recovery == nil)
      let records = try journal.journal.records()
      for (order, key) in keys {
        let record = try #require(records.first { $0.intent.order == order }, "order \(order) was put and forgotten")
        #expect(record.intent.key.description == key)
        #expect(record.isSettled || !ended.contains(order))
      }
      journal.close()
    }

    let journal = try SQLiteJournal<Int>(at: folder.file)
    let experiment = Experiment<Int, String>(putRequestResults: [])
    let taker = experiment.setup(journal: journal.journal)
    experiment.httpClient.takeClosure = { _ in Future(value: .accepted) }
    experiment.httpClient.takingOperationStatusClosure = { _ in Future(value: .accepted) }
    experiment.httpClient.acceptedOrderDetailsClosure = { _ in Future(value: "details") }
    #expect(try taker.resume().allSatisfy { $0.future.isSuccess })
    #expect(try journal.journal.records().allSatisfy(\.isSettled))
    #expect(keys.count > 20 && ended.count > 5)
  }

  @Test("between recording an end and telling it leaves the end for the next process to tell")
  func killedBeforeTelling() async throws {
    let dying = try probe(firstOrder: 100, mode: "untold")
    let untold = await dying.kill(afterLines: 1 + 2 * 12).filter { $0.hasPrefix("untold") }
    #expect(untold.count == 12)
    do {
      let journal = try SQLiteJournal<Int>(at: folder.file)
      let records = try journal.journal.records()
      #expect(records.count == 12 && records.allSatisfy { !$0.isUnfinished && !$0.isDelivered })
      journal.close()
    }
    // The next process tells them all, and puts none of them again.
    let next = try probe(firstOrder: 1_000, mode: "resume")
    let lines = await next.kill(afterLines: 1 + 12 + 1)
    #expect(Set(lines.filter { $0.hasPrefix("end") }) == Set((100..<112).map { "end \($0)" }))
    #expect(!lines.contains { $0.hasPrefix("put") } && lines.last == "resumed")
    // Killed once more, when it had told them and said so: nothing is left to tell.
    let last = try probe(firstOrder: 1_000, mode: "resume")
    #expect(await last.kill(afterLines: 2) == ["open", "resumed"])
  }

  @Test("has the journal to itself as long as it lives, and no longer") func lockedByProcess() async throws {
    let process = try probe(firstOrder: 0)
    _ = await process.line()
    let error = #expect(throws: JournalError.self) { try SQLiteJournal<Int>(at: folder.file) }
    #expect(error?.kind == .inUse)
    #expect(error?.description.contains("already open in this process or another one") == true)
    _ = await process.kill(afterLines: 0)
    #expect(throws: Never.self) { try SQLiteJournal<Int>(at: folder.file) }
  }
}

extension ChildProcess {
  /// Kills it when it has written a number of lines, and answers all whole lines that it has written.
  fileprivate func kill(afterLines count: Int) async -> [String] {
    var lines: [String] = []
    while lines.count < count, let line = await line() { lines.append(line) }
    send(SIGKILL)
    while let line = await line() { lines.append(line) }
    #expect(await outcome().status == -SIGKILL)
    return lines
  }
}
