import Foundation
import Loopback
import OrderTaking
import OrderTakingJournal
import ParallelTesting
import Terminal
import Testing

@testable import Demo

/// What commands say and leave that are asked to end while a server keeps them waiting.
@Suite("Commands that wait for a server, asked to end,", .timeLimit(.minutes(5)))
final class OrderInterruptTests: Sendable {
  private let files: OrderFiles

  init() throws { files = try OrderFiles() }

  /// Starts a command on a server that answers nothing, sends it a signal once the server was asked, and waits for its end.
  private func interrupt(_ words: [String], by signal: Int32) async throws -> DemoProcess.Outcome {
    let (requests, request) = AsyncStream.makeStream(of: Void.self)
    let silent: @Sendable (HTTPRequest) -> HTTPReply = { _ in
      request.yield()
      return .never
    }
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/*rest") { request -> HTTPReply in silent(request) }
        Route(.put, "/*rest") { request -> HTTPReply in silent(request) }
      })
    let process = try DemoProcess.start(words + ["--server", server.url.absoluteString])
    for await _ in requests { break }
    process.send(signal)
    let outcome = await process.outcome()
    await server.stop(grace: .zero)
    return outcome
  }

  private func remember(_ orders: String...) throws {
    let file = try SQLiteJournal<String>(at: files.journal)
    for order in orders {
      let intent = TakingIntent(order: order, key: IdempotencyKey(high: 7, low: UInt64(order) ?? 0))
      try file.journal.write(TakingRecord(intent: intent, begunAt: Timers.dispatch().now(), change: .begun))
    }
    file.close()
  }

  @Test(
    "say so, with the number of the signal",
    arguments: [
      (["order", "list"], SIGINT), (["order", "take"], SIGTERM), (["stories", "--script", "down enter"], SIGINT),
      (["open", "boundaries://stories/7", "--script", ""], SIGTERM),
    ])
  func word(words: [String], signal: Int32) async throws {
    let outcome = try await interrupt(words, by: signal)
    #expect(outcome.status == 128 + signal && outcome.output == "", "\(outcome)")
    #expect(outcome.errors == "Error: Interrupted.\n")
  }

  @Test("close the journal, and make no more of an order than nobody knows", arguments: ["take", "status"])
  func journal(command: String) async throws {
    if command == "status" { try remember("7", "8", "9") }
    let outcome = try await interrupt(["order", command, "--journal", files.journal], by: SIGINT)
    #expect(outcome.status == 130 && outcome.output == "", "\(outcome)")
    let asking = command == "status" ? "Asking the server about 3 orders, for at most 10 s.\n" : ""
    // Nor does anything come after it that the closed journal could not record.
    #expect(outcome.errors == asking + "Error: Interrupted.\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.folder.path) == ["takings.sqlite"])
    let file = try SQLiteJournal<String>(at: files.journal)
    defer { file.close() }
    let changes = try file.journal.records().map(\.change)
    #expect(changes == Array(repeating: .ended(.unknown(.cancelled)), count: command == "status" ? 3 : 0))
  }

  @Test("note it before what comes of it, and tell the result last", arguments: [SIGINT, SIGTERM])
  func note(signal: Int32) async throws {
    struct Line: Decodable { let channel: String?, text: String?, state: String? }
    let outcome = try await interrupt(["order", "take", "7", "--json"], by: signal)
    #expect(outcome.status == 128 + signal, "\(outcome)")
    let lines = try outcome.output.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    #expect(lines.suffix(3).map(\.channel) == ["you", "end", nil] && lines.last?.state == "unknown", "\(outcome)")
    // Who sent another signal has not pressed a key.
    #expect(lines.dropLast(2).last?.text?.hasPrefix(signal == SIGINT ? "Ctrl-C: " : "cancelling; ") == true)
  }

  @Test(
    "cancel also while nobody reads, and note it once somebody does; not at all when it is over, or there was nothing")
  func slowReader() async throws {
    let pipe = Pipe()
    let (reading, writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
    let timeline = Timeline(
      on: TerminalDevice(input: reading.fileDescriptor, output: writing.fileDescriptor), json: false
    ) {
      .zero
    }
    timeline.show(TimelineEntry("you", "nothing to do"), order: "7") { false }
    timeline.show(TimelineEntry("you", "cancelling"), order: "7") {
      timeline.show(TimelineEntry("end", "cancelled"), order: "7")
      return true
    }
    timeline.show(TimelineEntry("you", "too late"), order: "7") {
      timeline.end()
      return true
    }
    try writing.close()
    let lines = String(decoding: try reading.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
    #expect(lines.map { $0.split(separator: " ").last } == ["cancelling", "cancelled"])
  }
}
