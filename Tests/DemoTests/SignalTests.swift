import Foundation
import ParallelTesting
import Testing

/// What signals do to commands, however early and however often they come.
@Suite("Signals", .timeLimit(.minutes(5)))
final class SignalTests: Sendable {
  /// What the processes take for the system's folder of temporary files.
  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  private var remains: [String] { temporary.contents }

  private func start(_ words: String...) throws -> DemoProcess {
    try DemoProcess.start(words, environment: ["TMPDIR": temporary.path])
  }

  @Test(
    "a server runs until it is asked to end, and says by which signal", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func server(signal: Int32) async throws {
    let server = try start("order", "serve")
    #expect(await server.firstLine()?.contains("listening: --server") == true)
    server.send(signal)
    let outcome = await server.outcome()
    #expect(outcome.status == 128 + signal && outcome.output.contains("stopping"), "\(outcome)")
    // Swift's own handler of Ctrl-\ would print a trace of the stack.
    #expect(outcome.errors == "")
  }

  #if os(Linux)
    /// Waits until the command handles a signal itself, or ignores it; ends as well when the command has.
    ///
    /// - Returns: Whether it has not ended before.
    @discardableResult
    private func isReady(_ process: DemoProcess, for signal: Int32) async throws -> Bool {
      try await eventually {
        guard let status = Self.status(of: process) else { return true }
        // What starts it has handlers of its own.
        guard status.hasPrefix("Name:\tdemo\n") else { return false }
        return status.split(separator: "\n").contains { line in
          guard line.hasPrefix("SigCgt:") || line.hasPrefix("SigIgn:") else { return false }
          let mask = UInt64(line.dropFirst("SigCgt:".count).trimmingCharacters(in: .whitespaces), radix: 16) ?? 0
          return mask & 1 << UInt64(signal - 1) != 0
        }
      }
      return Self.status(of: process) != nil
    }

    /// What the system says of a process that has not ended.
    private static func status(of process: DemoProcess) -> String? {
      let status = try? String(contentsOfFile: "/proc/\(process.process)/status", encoding: .utf8)
      return status?.contains("State:\tZ") == false ? status : nil
    }

    /// A pipe that is full, and that nobody reads: whoever prints into it waits for ever.
    private func fullPipe() throws -> Int32 {
      let path = temporary.file("pipe")
      try #require(mkfifo(path, 0o600) == 0)
      let pipe = open(path, O_RDWR | O_NONBLOCK)
      let zeros = [UInt8](repeating: 0, count: 4_096)
      while write(pipe, zeros, zeros.count) > 0 {}
      return pipe
    }

    @Test("a signal is heard from the first moment on", arguments: 0..<8)
    func early(attempt: Int) async throws {
      var tour = try start("tour", "--fast", "-o", temporary.file("report"))
      while try await !isReady(tour, for: SIGINT) {
        // It was over before it was looked at.
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

    @Test("what is simulated is told when it is interrupted, and how to go on")
    func simulation() async throws {
      let simulation = try start("order", "simulate", "--count", "100000000")
      try await isReady(simulation, for: SIGINT)
      simulation.interrupt()
      let outcome = await simulation.outcome()
      #expect(outcome.status == 130 && outcome.output.contains(", 0 violations\n"), "\(outcome)")
      #expect(
        outcome.errors.contains(
          #/of 100000000 simulations\. Continue with: demo order simulate --seed \d+ --count \d+/#))
    }

    @Test("what is interrupted together with who reads it says so, and how to go on")
    func pipeline() async throws {
      let pipe = try fullPipe()
      let simulation = try DemoProcess.start(
        ["order", "simulate", "--count", "100000000"], into: temporary.file("pipe"))
      try await isReady(simulation, for: SIGINT)
      close(pipe)
      simulation.interrupt()
      let outcome = await simulation.outcome()
      #expect(outcome.status == 130 && outcome.errors.contains("Continue with: demo order simulate"), "\(outcome)")
    }

    @Test("a second signal ends what does not end by itself")
    func second() async throws {
      let pipe = try fullPipe()
      defer { close(pipe) }
      let order = try DemoProcess.start(
        ["order", "take", "tour-1", "--quiet", "--json"], into: temporary.file("pipe"),
        environment: ["TMPDIR": temporary.path])
      // Handlers come one after the other, and this one's last.
      try await isReady(order, for: SIGTERM)
      // Two of a kind that come at once are one, and of two kinds either may be the first.
      for signal in [SIGTERM, SIGINT] { order.send(signal) }
      #expect([130, 143].contains(await order.outcome().status))
    }

    @Test("a second signal lets nothing be left behind, either")
    func impatient() async throws {
      let pipe = try fullPipe()
      let tour = try DemoProcess.start(
        ["tour", "--fast", "--json"], into: temporary.file("pipe"), environment: ["TMPDIR": temporary.path])
      try await eventually { [self] in remains.contains { $0.hasPrefix("demo-tour-") } }
      for signal in [SIGTERM, SIGINT] { tour.send(signal) }
      try await eventually { [self] in remains == ["pipe"] }
      // Nobody reads any more, so that nothing has to be waited for.
      close(pipe)
      #expect([130, 143].contains(await tour.outcome().status))
      #expect(remains == ["pipe"])
    }
  #endif
}
