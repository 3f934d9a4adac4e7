import Foundation
import Loopback
import OrderTaking
import TestSupport
import Testing

@testable import Demo

@Suite("Interrupted order commands", .timeLimit(.minutes(5)))
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

  @Test("an interrupted command without a result prints one error and exits with code 130")
  func interruptMessage() async throws {
    let outcome = try await interrupt(["order", "take", "--timeout", "120"], by: SIGTERM)
    #expect(outcome.status == 130 && outcome.output == "" && outcome.errors == "Error: Interrupted.\n", "\(outcome)")
  }

  @Test("an interrupted status closes the journal and records at most an unknown outcome", arguments: [3, 200])
  func interruptedJournal(orders: Int) async throws {
    let records = (1..<orders + 1).map { TakingRecord("\($0)") }
    let outcome = try await interrupt(
      ["order", "status", "--journal", files.journal, "--timeout", "120"], by: SIGINT, records: records)
    #expect(outcome.status == 130 && outcome.output == "", "\(outcome)")
    #expect(outcome.errors.contains("Error: Interrupted. Unfinished orders: \(orders). Finish them"), "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.folder.path) == ["takings.sqlite"])
    let checkpoints = try files.records().map(\.checkpoint)
    #expect(checkpoints.count == orders)
    #expect(checkpoints.allSatisfy { $0 == .begun || $0 == .ended(.unknown(.cancelled)) })
  }

  @Test("an interrupted take prints the cancellation before its effects, and the result last")
  func interruptIsReportedInOrder() async throws {
    struct Line: Decodable { let channel: TimelineEvent.Channel?, state: String? }
    let outcome = try await interrupt(["order", "take", "7", "--json", "--timeout", "120"], by: SIGINT)
    #expect(outcome.status == 130, "\(outcome)")
    let lines = try outcome.output.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    #expect(lines.suffix(3).map(\.channel) == [.you, .end, nil] && lines.last?.state == "unknown", "\(outcome)")
  }

  @Test("a command reports the interruption even if the reader of its output has ended with it")
  func interruptedPipeline() async throws {
    let pipe = files.folder.appending(path: "pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDWR)
    let outcome = try await interrupt(
      ["order", "take", "7", "--json", "--timeout", "120"], by: SIGINT, into: pipe
    ) { close(reader) }
    #expect(outcome.status == 130 && outcome.errors.contains("The outcome of order 7 is unknown"), "\(outcome)")
  }

  @Test("serve runs until a signal", arguments: [SIGINT, SIGTERM])
  func serverStopsOnSignal(signal: Int32) async throws {
    let server = try DemoProcess.start(["order", "serve"])
    #expect(await server.nextLine()?.contains("listening: --server") == true)
    server.send(signal)
    let outcome = await server.outcome()
    #expect(outcome.status == 130 && outcome.errors == "Stopping.\n", "\(outcome)")
  }

  @Test("a second signal ends a command whose output is blocked")
  func secondSignal() async throws {
    let path = files.folder.appending(path: "pipe").path
    try #require(mkfifo(path, 0o600) == 0)
    let pipe = open(path, O_RDWR)
    defer { close(pipe) }
    // The list is larger than the buffer of the pipe, of which only one byte is read.
    let names = try JSONEncoder().encode(["orders": [String(repeating: "x", count: 300_000)]])
    let server = try await HTTPServer.start(
      Router { Route(.get, "/orders") { _ in .text(String(decoding: names, as: UTF8.self)) } })
    let process = try DemoProcess.start(["order", "list", "--server", server.url.absoluteString], into: path)
    let count = await onThread {
      var byte: UInt8 = 0
      return read(pipe, &byte, 1)
    }
    #expect(count == 1)
    // Two signals of the same kind within 0.1 seconds count once.
    for signal in [SIGTERM, SIGINT] { process.send(signal) }
    #expect(await process.outcome().status == 130)
    await server.stop(grace: .zero)
  }

  #if os(Linux)
    @Test("an interrupted simulation prints its results and how to continue")
    func interruptedSimulation() async throws {
      let process = try DemoProcess.start(["order", "simulate", "--count", "100000000"])
      let status = "/proc/\(process.process)/status"
      try await eventually {
        let text = try? String(contentsOfFile: status, encoding: .utf8)
        // SIGTERM, the 15th bit, which the command handles last.
        return text?.contains(#/^Name:\tdemo\n(?s:.*)\nSigCgt:\t[0-9a-f]*[4-7c-f][0-9a-f]{3}\n/#) != false
      }
      // `timeout` sends the signal twice: to the process and to its group.
      for _ in 1...2 { process.interrupt() }
      let outcome = await process.outcome()
      #expect(outcome.status == 130 && outcome.output.contains(", 0 violations\n"), "\(outcome)")
      let next = #/of 100000000 simulations\. Continue with: demo order simulate --seed \d+ --count \d+/#
      #expect(outcome.errors.contains(next), "\(outcome)")
    }
  #endif
}
