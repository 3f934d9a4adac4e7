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
    _ words: [String], by signal: Int32, records: [TakingRecord] = []
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
    let process = try DemoProcess.start(words + ["--server", server.url.absoluteString])
    for await _ in requests { break }
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

  @Test("an interrupted resume closes the journal and records at most an unknown outcome", arguments: [3, 200])
  func interruptedJournal(orders: Int) async throws {
    let records = (1..<orders + 1).map { TakingRecord(OrderID($0), key: UInt64($0)) }
    let outcome = try await interrupt(
      ["order", "resume", "--journal", files.journal, "--timeout", "120"], by: SIGINT, records: records)
    #expect(outcome.status == 130, "\(outcome)")
    #expect(outcome.errors.contains("Error: Interrupted. Unfinished orders: \(orders). Finish them"), "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.folder.path) == ["takings.sqlite"])
    let checkpoints = try await files.records().map(\.checkpoint)
    #expect(checkpoints.count == orders)
    #expect(checkpoints.allSatisfy { $0 == .begun || $0 == .ended(.unknown(.cancelled)) })
  }

  @Test("serve runs until a signal", arguments: [SIGINT, SIGTERM])
  func serverStopsOnSignal(signal: Int32) async throws {
    let server = try DemoProcess.start(["order", "serve"])
    #expect(await server.nextLine()?.contains("listening: --server") == true)
    server.send(signal)
    let outcome = await server.outcome()
    #expect(outcome.status == 130 && outcome.errors == "Stopping.\n", "\(outcome)")
  }
}
