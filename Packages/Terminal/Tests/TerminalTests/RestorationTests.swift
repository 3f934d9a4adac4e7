#if os(Linux)
  import Glibc
  import TerminalTesting
  import Testing

  /// Each test ends a separate process.
  @Suite("Restoring the terminal", .serialized, .timeLimit(.minutes(5)))
  struct RestorationTests {
    /// Runs the probe on a terminal, ends it, and checks that the terminal is restored.
    private func check(_ how: String, _ status: Int32, _ end: (TerminalProcess) -> Void = { _ in }) async throws {
      let terminal = try TerminalProcess(try PseudoTerminal.probe(), [how])
      if how == "echo" { try await terminal.wait(for: "READY") }
      end(terminal)
      #expect(await terminal.ending() == status)
      #expect(terminal.isRestored && terminal.reader.hasBeenFullScreen && terminal.reader.unknown == [])
    }

    @Test("The terminal is restored when the body returns or throws, and when the process exits")
    func restoredOnReturnThrowAndExit() async throws {
      try await check("return", 0)
      try await check("exit", 3)
      try await check("echo", 0) { $0.type("q") }
    }

    @Test(
      "The terminal is restored when a signal terminates the process, and the process still dies by that signal",
      arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGABRT, SIGFPE])
    func restoredOnSignals(signal: Int32) async throws {
      try await check("echo", -signal) { $0.signal(signal) }
    }

    @Test("Ctrl-\\ restores the terminal and ends the process with SIGQUIT")
    func restoredOnQuitKey() async throws {
      try await check("echo", -SIGQUIT) { $0.type("\u{1C}") }
    }

    @Test("The terminal is restored when the process crashes or main throws an error")
    func restoredOnCrashes() async throws {
      try await check("abort", -SIGABRT)
      try await check("trap", -trapSignal)
      // An error out of `main` ends in a trap of the runtime.
      try await check("throw", -trapSignal)
    }

    @Test("The terminal is restored while the process is stopped, and raw mode returns when it continues")
    func restoredWhileStopped() async throws {
      let terminal = try TerminalProcess("/bin/bash", ["--norc"], columns: 200)
      try await terminal.wait(for: "$")
      terminal.type("\(try PseudoTerminal.probe()) echo\r")
      try await terminal.wait(for: "READY")
      terminal.type("z")
      try await terminal.wait(for: "Stopped")
      #expect(!terminal.reader.isFullScreen && terminal.reader.isCursorVisible)
      terminal.type("fg\r")
      try await terminal.wait(for: "<resumed>")
      #expect(terminal.reader.isFullScreen)
      terminal.type("xq")
      try await terminal.wait(for: "DONE")
      terminal.type("exit\r")
      #expect(await terminal.ending() == 0 && terminal.isRestored)
    }
  }

  /// The signal of a Swift trap.
  private let trapSignal: Int32 = {
    #if arch(x86_64) || arch(i386)
      SIGILL
    #else
      SIGTRAP
    #endif
  }()
#endif
