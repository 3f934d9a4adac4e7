import TerminalTesting
import Testing

@testable import Terminal

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Each test ends a separate process.
@Suite("Restoring the terminal", .serialized, .timeLimit(.minutes(2)))
struct RestorationTests {
  private static let leaving = "\u{1B}[m\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"

  /// Runs the probe on a terminal, ends it, and checks that the terminal is restored.
  private func check(
    _ how: String, _ expected: PseudoTerminal.Ending, _ end: (pid_t, PseudoTerminal) throws -> Void = { _, _ in }
  ) throws {
    let pseudo = try PseudoTerminal()
    let before = try pseudo.mode()
    let child = try pseudo.spawn(how)
    try pseudo.wait(for: "READY")
    try end(child, pseudo)
    #expect(try pseudo.ending(of: child) == expected)
    #expect(try pseudo.mode() == before)
    pseudo.drain()
    #expect(pseudo.received.contains(Self.leaving))
    #expect(
      pseudo.received.components(after: Self.leaving).count == 2, "left twice: \(pseudo.received.debugDescription)")
  }

  @Test("The terminal is restored when the body returns or throws, and when the process exits")
  func restoredOnReturnThrowAndExit() throws {
    try check("return", .status(0))
    try check("exit", .status(3))
    try check("echo", .status(0)) { _, pseudo in pseudo.type("q") }
  }

  @Test("The terminal is restored when main throws an error")
  func restoredOnErrorOfMain() throws {
    // An error out of `main` ends in a trap of the runtime.
    try check("throw", .signal(trapSignal))
  }

  @Test(
    "The terminal is restored when a signal terminates the process, and the process still dies by that signal",
    arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGABRT, SIGFPE])
  func restoredOnSignals(signal: Int32) throws {
    try check("echo", .signal(signal)) { child, _ in kill(child, signal) }
  }

  @Test("Ctrl-\\ restores the terminal and ends the process with SIGQUIT")
  func restoredOnQuitKey() throws {
    try check("echo", .signal(SIGQUIT)) { _, pseudo in pseudo.type("\u{1C}") }
  }

  @Test(
    "The terminal is restored when the process crashes",
    arguments: [("trap", trapSignal), ("abort", SIGABRT)])
  func restoredOnCrashes(how: String, signal: Int32) throws {
    try check(how, .signal(signal))
  }

  #if os(Linux)
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
  #endif
}

/// The signal of a Swift trap.
private let trapSignal: Int32 = {
  #if arch(x86_64) || arch(i386)
    SIGILL
  #else
    SIGTRAP
  #endif
}()

extension String {
  fileprivate func components(after separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}
