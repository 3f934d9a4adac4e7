import Foundation
import Futures
import OrderTaking
import OrderTakingJournal
import OrderTakingTesting
import ParallelTesting
import Testing

@Suite("A process that is killed", .serialized) struct KillTests {
  let folder = Folder()

  @Test("leaves a journal from which every operation ends, under its own key") func killed() throws {
    var numbers = SeededGenerator(seed: 5)
    var keys: [Int: String] = [:]
    var ended: Set<Int> = []
    for round in 0..<8 {
      let probe = try Probe(journal: folder.file, firstOrder: round * 10_000)
      for line in try probe.kill(afterLines: Int.random(in: 2...120, using: &numbers)) {
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
  func killedBeforeTelling() throws {
    let dying = try Probe(journal: folder.file, firstOrder: 100, mode: "untold")
    let untold = try dying.kill(afterLines: 1 + 2 * 12).filter { $0.hasPrefix("untold") }
    #expect(untold.count == 12)
    do {
      let journal = try SQLiteJournal<Int>(at: folder.file)
      let records = try journal.journal.records()
      #expect(records.count == 12 && records.allSatisfy { !$0.isUnfinished && !$0.isDelivered })
      journal.close()
    }
    // The next process tells them all, and puts none of them again.
    let next = try Probe(journal: folder.file, firstOrder: 1_000, mode: "resume")
    let lines = try next.kill(afterLines: 1 + 12 + 1)
    #expect(Set(lines.filter { $0.hasPrefix("end") }) == Set((100..<112).map { "end \($0)" }))
    #expect(!lines.contains { $0.hasPrefix("put") } && lines.last == "resumed")
    // Killed once more, when it had told them and said so: nothing is left to tell.
    let last = try Probe(journal: folder.file, firstOrder: 1_000, mode: "resume")
    #expect(try last.kill(afterLines: 2) == ["open", "resumed"])
  }

  @Test("has the journal to itself as long as it lives, and no longer") func lockedByProcess() throws {
    let probe = try Probe(journal: folder.file, firstOrder: 0)
    try probe.waitForLine()
    let error = #expect(throws: JournalError.self) { try SQLiteJournal<Int>(at: folder.file) }
    #expect(error?.kind == .inUse)
    #expect(error?.description.contains("another process has it") == true)
    _ = try probe.kill(afterLines: 1)
    #expect(throws: Never.self) { try SQLiteJournal<Int>(at: folder.file) }
  }
}

/// The process that is killed.
private final class Probe {
  struct Failure: Error, CustomStringConvertible { let description: String }

  private let child: pid_t
  private let output: Int32
  private var received = ""
  private var isRunning = true

  init(journal: String, firstOrder: Int, mode: String = "take") throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure(description: "no pipe: \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    output = ends[0]
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
      close(ends[1])
    }
    // The test's thread has most signals blocked, and a child would inherit that.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    let program = try Self.program()
    var arguments = [strdup(program), strdup(journal), strdup("\(firstOrder)"), strdup(mode), nil]
    var environment = [strdup("SWIFT_BACKTRACE=enable=no"), nil]
    defer { (arguments + environment).forEach { free($0) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, program, &actions, &attributes, &arguments, &environment)
    guard code == 0 else { throw Failure(description: "cannot start \(program): \(code)") }
    self.child = child
  }

  deinit {
    if isRunning { end() }
    close(output)
  }

  /// Waits until the process has written a line.
  func waitForLine() throws { try read(until: 1) }

  /// Kills the process when it has written a number of lines, and answers all whole lines that it has written.
  func kill(afterLines count: Int) throws -> [String] {
    try read(until: count)
    end()
    while readMore(waiting: 0) {}
    return received.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  private func read(until count: Int) throws {
    while received.count(where: { $0 == "\n" }) < count {
      guard readMore(waiting: 30_000) else { throw Failure(description: "only \(received.debugDescription) came") }
    }
  }

  private func readMore(waiting: Int32) -> Bool {
    var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    var bytes = [UInt8](repeating: 0, count: 4_096)
    guard poll(&descriptor, 1, waiting) > 0, case let count = Foundation.read(output, &bytes, bytes.count), count > 0
    else {
      return false
    }
    received += String(decoding: bytes[..<count], as: UTF8.self)
    return true
  }

  private func end() {
    isRunning = false
    Foundation.kill(child, SIGKILL)
    var status: Int32 = 0
    while waitpid(child, &status, 0) != child, errno == EINTR {}
  }

  /// The program is built beside the tests.
  private static func program() throws -> String {
    let starts = [CommandLine.arguments[0]] + Bundle.allBundles.map(\.bundlePath) + [Bundle.main.bundlePath + "/x"]
    let candidates = starts.map {
      URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("OrderTakingProbe").path
    }
    guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else {
      throw Failure(description: "no program among \(candidates)")
    }
    return found
  }
}
