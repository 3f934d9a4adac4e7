import Foundation
import TestSupport
import Testing

@Suite("Signals", .timeLimit(.minutes(5)))
final class SignalTests: Sendable {
  /// The value of `TMPDIR` for the commands.
  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  private var remains: [String] { temporary.contents }

  private func start(_ words: String...) throws -> DemoProcess {
    try DemoProcess.start(words, environment: ["TMPDIR": temporary.path])
  }

  @Test(
    "serve runs until a signal, and exits with 128 plus its number", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func serverStopsOnSignal(signal: Int32) async throws {
    let server = try start("order", "serve")
    #expect(await server.nextLine()?.contains("listening: --server") == true)
    server.send(signal)
    let outcome = await server.outcome()
    #expect(outcome.status == 128 + signal && outcome.output.contains("stopping"), "\(outcome)")
    // Swift's own handler of SIGQUIT would print a backtrace.
    #expect(outcome.errors == "")
  }

  #if os(Linux)
    /// Waits until the command handles or ignores a signal, or has ended.
    ///
    /// - Returns: Whether the command is still running.
    @discardableResult
    private func isReady(_ process: DemoProcess, for signal: Int32) async throws -> Bool {
      try await eventually {
        guard let status = Self.status(of: process) else { return true }
        // Before `exec`, the process has the handlers of its parent program.
        guard status.hasPrefix("Name:\tdemo\n") else { return false }
        return status.split(separator: "\n").contains { line in
          guard line.hasPrefix("SigCgt:") || line.hasPrefix("SigIgn:") else { return false }
          let mask = UInt64(line.dropFirst("SigCgt:".count).trimmingCharacters(in: .whitespaces), radix: 16) ?? 0
          return mask & 1 << UInt64(signal - 1) != 0
        }
      }
      return Self.status(of: process) != nil
    }

    /// The content of `/proc/<pid>/status`, or `nil` if the process has ended.
    private static func status(of process: DemoProcess) -> String? {
      let status = try? String(contentsOfFile: "/proc/\(process.process)/status", encoding: .utf8)
      return status?.contains("State:\tZ") == false ? status : nil
    }

    /// Opens a full pipe without a reader, so that a process that writes to it blocks.
    private func fullPipe() throws -> Int32 {
      let path = temporary.file("pipe")
      try #require(mkfifo(path, 0o600) == 0)
      let pipe = open(path, O_RDWR | O_NONBLOCK)
      let zeros = [UInt8](repeating: 0, count: 4_096)
      while write(pipe, zeros, zeros.count) > 0 {}
      return pipe
    }

    @Test("a signal in the first moment after the start ends the tour cleanly", arguments: 0..<8)
    func earlySignal(attempt: Int) async throws {
      var tour = try start("tour", "--fast", "-o", temporary.file("report"))
      while try await !isReady(tour, for: SIGINT) {
        // The tour ended before its handlers were observed.
        try FileManager.default.removeItem(atPath: temporary.file("report"))
        tour = try start("tour", "--fast", "-o", temporary.file("report"))
      }
      tour.send(SIGINT)
      let outcome = await tour.outcome()
      #expect(
        outcome.status == 130 && outcome.errors.hasSuffix("Error: Interrupted. All temporary files were removed.\n"),
        "\(outcome)")
      #expect(remains == [])
    }

    @Test("an interrupted simulation prints its results and how to continue")
    func interruptedSimulation() async throws {
      let simulation = try start("order", "simulate", "--count", "100000000")
      try await isReady(simulation, for: SIGINT)
      simulation.interrupt()
      let outcome = await simulation.outcome()
      #expect(outcome.status == 130 && outcome.output.contains(", 0 violations\n"), "\(outcome)")
      #expect(
        outcome.errors.contains(
          #/of 100000000 simulations\. Continue with: demo order simulate --seed \d+ --count \d+/#))
    }

    @Test("a simulation that is interrupted with its reader still prints how to continue")
    func interruptedPipeline() async throws {
      let pipe = try fullPipe()
      let simulation = try DemoProcess.start(
        ["order", "simulate", "--count", "100000000"], into: temporary.file("pipe"))
      try await isReady(simulation, for: SIGINT)
      close(pipe)
      simulation.interrupt()
      let outcome = await simulation.outcome()
      #expect(outcome.status == 130 && outcome.errors.contains("Continue with: demo order simulate"), "\(outcome)")
    }

    @Test("a second signal ends a command whose output is blocked")
    func secondSignal() async throws {
      let pipe = try fullPipe()
      defer { close(pipe) }
      let order = try DemoProcess.start(
        ["order", "take", "tour-1", "--quiet", "--json"], into: temporary.file("pipe"),
        environment: ["TMPDIR": temporary.path])
      // The handler of SIGTERM is installed last.
      try await isReady(order, for: SIGTERM)
      // Two pending signals of the same kind are merged. Two of different kinds may arrive in either order.
      for signal in [SIGTERM, SIGINT] { order.send(signal) }
      #expect([130, 143].contains(await order.outcome().status))
    }

    @Test("a second signal leaves no temporary file")
    func secondSignalCleansUp() async throws {
      let pipe = try fullPipe()
      let tour = try DemoProcess.start(
        ["tour", "--fast", "--json"], into: temporary.file("pipe"), environment: ["TMPDIR": temporary.path])
      try await eventually { [self] in remains.contains { $0.hasPrefix("demo-tour-") } }
      for signal in [SIGTERM, SIGINT] { tour.send(signal) }
      try await eventually { [self] in remains == ["pipe"] }
      // Without a reader, the blocked write ends.
      close(pipe)
      #expect([130, 143].contains(await tour.outcome().status))
      #expect(remains == ["pipe"])
    }
  #endif
}
