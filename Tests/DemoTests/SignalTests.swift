import Foundation
import OrderTaking
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
    /// Waits until a process handles or ignores a signal itself; `false` when it has ended before.
    private func isReady(_ process: DemoProcess, for signal: Int32) async -> Bool {
      while let status = try? String(contentsOfFile: "/proc/\(process.process)/status", encoding: .utf8) {
        for line in status.split(separator: "\n") where line.hasPrefix("SigCgt:") || line.hasPrefix("SigIgn:") {
          let mask = UInt64(line.dropFirst("SigCgt:".count).trimmingCharacters(in: .whitespaces), radix: 16) ?? 0
          if mask & 1 << UInt64(signal - 1) != 0 { return true }
        }
        if status.contains("State:\tZ") { return false }
        await Task.yield()
      }
      return false
    }

    @Test("a signal is heard from the first moment on", arguments: 0..<8)
    func early(attempt: Int) async throws {
      let tour = try start("tour", "--fast", "-o", temporary.file("report"))
      #expect(await isReady(tour, for: SIGINT))
      tour.send(SIGINT)
      let outcome = await tour.outcome()
      #expect(
        outcome.status == 130 && outcome.errors.hasSuffix("Error: Interrupted. Nothing was left behind.\n"),
        "\(outcome)")
      #expect(remains == [])
    }

    @Test("what is simulated is told when it is interrupted, and how to go on")
    func simulation() async throws {
      let simulation = try start("order", "simulate", "--count", "100000000")
      #expect(await isReady(simulation, for: SIGINT))
      simulation.interrupt()
      let outcome = await simulation.outcome()
      #expect(outcome.status == 130 && outcome.output.contains(", 0 violations\n"), "\(outcome)")
      #expect(outcome.errors.contains(#/of 100000000 worlds\. Go on with: demo order simulate --seed \d+ --count \d+/#))
    }

    @Test("a second signal ends what does not end by itself, and cleans up all the same")
    func impatient() async throws {
      // A pipe that is full, and that nobody reads: whoever prints waits for ever.
      let path = temporary.file("pipe")
      try #require(mkfifo(path, 0o600) == 0)
      let pipe = open(path, O_RDWR | O_NONBLOCK)
      defer { close(pipe) }
      let zeros = [UInt8](repeating: 0, count: 4_096)
      while write(pipe, zeros, zeros.count) > 0 {}
      let tour = try ChildProcess(
        "/bin/bash", ["-c", #"exec "$0" tour --fast --json > "$TMPDIR/pipe""#, ChildProcess.path(besideTests: "demo")],
        environment: ["PATH": "/usr/bin:/bin", "TMPDIR": temporary.path])
      while !remains.contains(where: { $0.hasPrefix("demo-tour-") }) { await Task.yield() }
      let end = Task { await tour.outcome() }
      let isOver = Locked(false)
      Task {
        _ = await end.value
        isOver.withLock { $0 = true }
      }
      // Signals that come faster than they are taken are one, so there are as many as it takes.
      while !isOver.withLock({ $0 }) {
        tour.send(SIGINT)
        await Task.yield()
      }
      #expect(await end.value.status == 130)
      #expect(remains == ["pipe"])
    }
  #endif
}
