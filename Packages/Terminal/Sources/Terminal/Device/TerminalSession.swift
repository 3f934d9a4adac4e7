internal import Foundation

/// An event of a terminal during a session.
public enum TerminalEvent: Hashable, Sendable {
  /// A key, a paste, or an unrecognized sequence.
  case input(InputEvent)
  /// The window has a new size; paint everything.
  case resized(TerminalSize)
  /// The process was stopped and continued, with raw mode and features enabled again. The size can differ; paint
  /// everything.
  case resumed(TerminalSize)
  /// The terminal was closed; this is the last event.
  case endOfInput
}

/// A terminal in raw mode, which is restored however the session ends.
///
/// Create a session with `TerminalDevice.withSession`. It is safe to use from any thread.
public final class TerminalSession: Sendable {
  /// The terminal of the session.
  public let device: TerminalDevice
  private let reader: EventReader

  init(device: TerminalDevice) {
    self.device = device
    reader = EventReader(device: device)
  }

  /// Waits for the next event.
  ///
  /// Returns `nil` after a call of `interrupt()`, after the end of the input, and after the session ends.
  ///
  /// Blocks the calling thread, so call it from a dedicated thread. Concurrent calls wait for each other. A lone Esc is
  /// reported 50 ms after it arrives, to distinguish it from the start of a special key. Ctrl-\ is not reported: the process
  /// receives SIGQUIT.
  ///
  /// - Throws: `TerminalError` of kind `.system` when reading fails.
  public func readEvent() throws(TerminalError) -> TerminalEvent? {
    try reader.next()
  }

  /// Makes one waiting `readEvent` return `nil`, or the next call if none is waiting.
  public func interrupt() { reader.interrupt() }

  /// Stops the process as Ctrl-Z does in other programs, with the terminal restored; `.resumed` follows.
  public func suspend() { SignalCore.suspend() }

  func end() { reader.end() }
}

extension TerminalDevice {
  /// Runs `body` with the terminal in raw mode, and restores the terminal however `body` or the process ends.
  ///
  /// The session uses the alternate screen, which keeps the previous content of the main screen. It hides the cursor until
  /// a repaint shows it, and reports pastes separately from typed keys.
  ///
  /// The terminal is restored when `body` returns or throws, when the process exits, when a signal terminates it (SIGINT,
  /// SIGTERM, SIGHUP, SIGQUIT), and when it crashes (SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS). The
  /// signal's own effect follows, including the exit status. SIGKILL, `_exit`, other signals, and a stack overflow on
  /// another thread leave the terminal in raw mode.
  ///
  /// A background process stops before it changes the terminal, as `less` does. It continues when the shell moves it to
  /// the foreground.
  ///
  /// In raw mode Ctrl-C and Ctrl-Z arrive as keys. Ctrl-\ sends SIGQUIT, as it does outside of raw mode. SIGTSTP restores
  /// the terminal and stops the process; SIGCONT enters raw mode again. Ignored signals stay ignored. Previously installed
  /// handlers are called after the terminal is restored, and are installed again when the session ends.
  ///
  /// ```swift
  /// try TerminalDevice.standardOutput.withSession { session in
  ///   while let event = try session.readEvent(), event != .input(.key(.escape)) { … }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - environment: The environment with `TERM`; by default that of the process.
  ///   - body: Uses the session.
  /// - Throws: `TerminalError` of kind `.notATerminal` when the input or the output is not a terminal,
  ///   `.cannotMoveCursor` when `TERM` names a terminal without cursor movement, `.busy` when the process already has a
  ///   session, `.system` when the mode cannot be set; and any error of `body`.
  public func withSession<Result>(
    environment: [String: String]? = nil, _ body: (TerminalSession) throws -> Result
  ) throws -> Result {
    let session = try beginSession(environment)
    defer { endSession(session) }
    return try body(session)
  }

  /// Runs an asynchronous `body` with the terminal in raw mode, on the caller's isolation, and restores the terminal.
  ///
  /// Otherwise the same as the synchronous form. Read the events on a dedicated thread.
  ///
  /// - Throws: ``TerminalError`` as in the synchronous form, and any error of `body`.
  public func withSession<Result>(
    environment: [String: String]? = nil, isolation: isolated (any Actor)? = #isolation,
    _ body: (TerminalSession) async throws -> Result
  ) async throws -> Result {
    let session = try beginSession(environment)
    defer { endSession(session) }
    return try await body(session)
  }

  private func beginSession(_ environment: [String: String]?) throws(TerminalError) -> TerminalSession {
    for descriptor in [input, output] where isatty(descriptor) != 1 { throw .notATerminal(descriptor) }
    let type = (environment ?? ProcessInfo.processInfo.environment)["TERM"] ?? ""
    guard !["", "dumb", "unknown"].contains(type) else { throw .cannotMoveCursor(type) }
    try SignalCore.begin(input: input, output: output)
    return TerminalSession(device: self)
  }

  private func endSession(_ session: TerminalSession) {
    session.end()
    SignalCore.end()
  }
}
