import Foundation
import Loopback
import OrderTaking
import OrderTakingJournal
import TestSupport
import Terminal
import Testing

@testable import Demo

@Suite("Interrupted commands that wait for a server", .timeLimit(.minutes(5)))
final class OrderInterruptTests: Sendable {
  private let files: OrderFiles

  init() throws { files = try OrderFiles() }

  /// Starts a command with a server that never responds, sends a signal after the first request, and waits for the end.
  private func interrupt(
    _ words: [String], by signal: Int32, into file: String? = nil, records: [TakingRecord<String>] = [],
    before: () -> Void = {}
  ) async throws -> DemoProcess.Outcome {
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
    if !records.isEmpty { try await files.store(records, server: server.url) }
    let process = try DemoProcess.start(words + ["--server", server.url.absoluteString], into: file)
    for await _ in requests { break }
    before()
    process.send(signal)
    let outcome = await process.outcome()
    await server.stop(grace: .zero)
    return outcome
  }

  @Test(
    "an interrupted command prints one error and exits with 128 plus the signal's number",
    arguments: [
      (["order", "list"], SIGINT), (["order", "take", "--timeout", "120"], SIGTERM),
      (["stories", "--script", "down enter", "--timeout", "120"], SIGINT),
      (["open", "boundaries://stories/7", "--script", "", "--timeout", "120"], SIGTERM),
    ])
  func interruptMessage(words: [String], signal: Int32) async throws {
    let outcome = try await interrupt(words, by: signal)
    #expect(outcome.status == 128 + signal && outcome.output == "", "\(outcome)")
    #expect(outcome.errors == "Error: Interrupted.\n")
  }

  // With 200 orders the signal arrives before the last requests have started.
  @Test(
    "an interrupted command closes the journal and records at most an unknown outcome",
    arguments: [("take", 0), ("status", 3), ("status", 200)])
  func interruptedJournal(command: String, orders: Int) async throws {
    let records = (1..<orders + 1).map { TakingRecord("\($0)") }
    let outcome = try await interrupt(
      ["order", command, "--journal", files.journal, "--timeout", "120"], by: SIGINT, records: records)
    #expect(outcome.status == 130 && outcome.output == "", "\(outcome)")
    let asking = orders == 0 ? "" : "Asking the server about \(orders) orders, for at most 120 s.\n"
    // No error of the closed journal follows. On a slow machine a request may time out before the signal.
    let lines = outcome.errors.split(separator: "\n").filter { !$0.hasSuffix("GET 1 failed: timed out") }
    #expect(lines.map { $0 + "\n" }.joined() == asking + "Error: Interrupted.\n", "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.folder.path) == ["takings.sqlite"])
    let checkpoints = try files.records().map(\.checkpoint)
    // At least one request was sent. Records without a request are unchanged.
    let asked = checkpoints.prefix { $0 == .ended(.unknown(.cancelled)) }
    #expect(checkpoints.count == orders && asked.isEmpty == (orders == 0))
    #expect(checkpoints.dropFirst(asked.count).allSatisfy { $0 == .begun })
  }

  @Test("an interrupted command reports the interruption even if its reader has ended")
  func interruptedPipeline() async throws {
    let records = [TakingRecord("1"), TakingRecord("2", .ended(.declined(reason: "taken")))]
    let pipe = files.folder.appending(path: "pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDWR)
    let outcome = try await interrupt(
      ["order", "status", "--journal", files.journal, "--timeout", "120"], by: SIGINT, into: pipe,
      records: records
    ) { close(reader) }
    #expect(outcome.status == 130 && outcome.errors.hasSuffix("Error: Interrupted.\n"), "\(outcome)")
  }

  @Test("an interrupted take reports the signal before its effects, and the result last", arguments: [SIGINT, SIGTERM])
  func interruptIsReportedInOrder(signal: Int32) async throws {
    struct Line: Decodable { let channel: String?, text: String?, state: String? }
    let outcome = try await interrupt(["order", "take", "7", "--json"], by: signal)
    #expect(outcome.status == 128 + signal, "\(outcome)")
    let lines = try outcome.output.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    #expect(lines.suffix(3).map(\.channel) == ["you", "end", nil] && lines.last?.state == "unknown", "\(outcome)")
    // Only SIGINT is reported as a key press.
    #expect(lines.dropLast(2).last?.text?.hasPrefix(signal == SIGINT ? "Ctrl-C: " : "cancelling; ") == true)
  }

  @Test("a signal takes effect while the output is blocked, and its note is printed later")
  func slowReader() async throws {
    let (timeline, pipe) = timelineInPipe()
    async let before: Void = onThread {
      timeline.show(TimelineEntry("you", String(repeating: "x", count: 200_000)), order: "7")
    }
    // The text is larger than the pipe's buffer, so the writer is blocked now.
    _ = try pipe.fileHandleForReading.read(upToCount: 1)
    let (actions, action) = AsyncStream.makeStream(of: Void.self)
    async let noted: Void = onThread {
      timeline.show(TimelineEntry("you", "cancelling"), order: "7") {
        action.yield()
        return true
      }
    }
    for await _ in actions { break }
    async let output = onThread { try? pipe.fileHandleForReading.readToEnd() }
    _ = await (before, noted)
    try pipe.fileHandleForWriting.close()
    #expect(String(decoding: await output ?? Data(), as: UTF8.self).hasSuffix("cancelling\n"))
  }

  @Test("a cancellation is printed before its effects, and only if there was something to cancel")
  func cancellationNote() throws {
    let (timeline, pipe) = timelineInPipe()
    timeline.show(TimelineEntry("you", "nothing to do"), order: "7") { false }
    timeline.show(TimelineEntry("you", "cancelling"), order: "7") {
      timeline.show(TimelineEntry("end", "cancelled"), order: "7")
      return true
    }
    timeline.show(TimelineEntry("you", "too late"), order: "7") {
      timeline.end()
      return true
    }
    try pipe.fileHandleForWriting.close()
    let lines = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    #expect(lines.split(separator: "\n").map { $0.split(separator: " ").last } == ["cancelling", "cancelled"])
  }

  private func timelineInPipe() -> (Timeline, Pipe) {
    let pipe = Pipe()
    let device = TerminalDevice(
      input: pipe.fileHandleForReading.fileDescriptor, output: pipe.fileHandleForWriting.fileDescriptor)
    return (Timeline(on: device, json: false) { .zero }, pipe)
  }
}
