import Foundation
import Synchronization

/// The terminal features that a session enables in addition to raw mode, and disables when it ends.
public struct SessionFeatures: OptionSet, Hashable, Sendable {
  /// The bits, one for each feature.
  public let rawValue: UInt8

  /// Creates a set from the bits of its features.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The alternate screen, which keeps the previous content of the main screen.
  public static let alternateScreen = SessionFeatures(rawValue: 1 << 0)
  /// A hidden cursor, until a repaint shows it.
  public static let hiddenCursor = SessionFeatures(rawValue: 1 << 1)
  /// Pastes reported separately from typed keys.
  public static let bracketedPaste = SessionFeatures(rawValue: 1 << 2)
  /// All three features, for a full-screen program.
  public static let fullScreen: SessionFeatures = [.alternateScreen, .hiddenCursor, .bracketedPaste]

  /// The escape sequences that enable the features.
  var entering: String {
    (contains(.alternateScreen) ? "\u{1B}[?1049h\u{1B}[H\u{1B}[2J" : "")
      + (contains(.hiddenCursor) ? "\u{1B}[?25l" : "")
      + (contains(.bracketedPaste) ? "\u{1B}[?2004h" : "")
  }

  /// The escape sequences that disable the features in reverse order, reset the style and show the cursor.
  var leaving: String {
    "\u{1B}[m" + (contains(.bracketedPaste) ? "\u{1B}[?2004l" : "") + "\u{1B}[?25h"
      + (contains(.alternateScreen) ? "\u{1B}[?1049l" : "")
  }
}

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
  /// Returns `nil` when `limit` elapses first, after a call of `interrupt()`, after the end of the input, and after the session
  /// ends.
  ///
  /// Blocks the calling thread, so call it from a dedicated thread; tasks use `events`. Concurrent calls wait for each
  /// other. A lone Esc is reported 50 ms after it arrives, to distinguish it from the start of a special key.
  ///
  /// - Throws: `TerminalError` of kind `.system` when reading fails.
  public func readEvent(within limit: Duration? = nil) throws(TerminalError) -> TerminalEvent? {
    try reader.next(timeout: limit)
  }

  /// Makes one waiting `readEvent` return `nil`, or the next call if none is waiting.
  public func interrupt() { reader.interrupt() }

  /// The events in order, read on a dedicated thread until the stream is dropped or the session ends.
  ///
  /// The last event is `.endOfInput` when the terminal is closed. Every access starts a new stream, and only one of the
  /// streams receives each event, so create one stream.
  ///
  /// - Throws: The error of `readEvent`, from the iteration.
  public var events: AsyncThrowingStream<TerminalEvent, any Error> {
    AsyncThrowingStream { continuation in
      let isOver = Flag()
      let reader = reader
      continuation.onTermination = { _ in
        isOver.raise()
        reader.interrupt()
      }
      let thread = Thread {
        do {
          while !isOver.isRaised, let event = try reader.next(timeout: nil) {
            continuation.yield(event)
            if event == .endOfInput { break }
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      thread.name = "terminal-events"
      thread.start()
    }
  }

  /// Stops the process as Ctrl-Z does in other programs, with the terminal restored; `.resumed` follows.
  public func suspend() { SignalCore.suspend() }

  func end() { reader.end() }
}

/// A flag that can only be raised, from any thread.
final class Flag: Sendable {
  private let value = Atomic(false)
  var isRaised: Bool { value.load(ordering: .acquiring) }
  func raise() { value.store(true, ordering: .releasing) }
}

extension TerminalDevice {
  /// Runs `body` with the terminal in raw mode, and restores the terminal however `body` or the process ends.
  ///
  /// The terminal is restored when `body` returns or throws, when the process exits, when a signal terminates it (SIGINT,
  /// SIGTERM, SIGHUP, SIGQUIT), and when it crashes (SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS). The
  /// signal's own effect follows, including the exit status. Only SIGKILL and `_exit` leave the terminal in raw mode.
  ///
  /// A background process stops before it changes the terminal, as `less` does. It continues when the shell moves it to
  /// the foreground.
  ///
  /// In raw mode Ctrl-C and Ctrl-Z arrive as keys. SIGTSTP restores the terminal and stops the process; SIGCONT enters
  /// raw mode again. Ignored signals stay ignored. Previously installed handlers are called after the terminal is
  /// restored, and are installed again when the session ends.
  ///
  /// ```swift
  /// try TerminalDevice.standardOutput.withSession { session in
  ///   while let event = try session.readEvent(), event != .input(.key(.escape)) { … }
  /// }
  /// ```
  ///
  /// - Throws: `TerminalError` of kind `.notATerminal` when the input or the output is not a terminal, `.busy` when the
  ///   process already has a session, `.system` when the mode cannot be set; and any error of `body`.
  public func withSession<Result>(
    _ features: SessionFeatures = .fullScreen, _ body: (TerminalSession) throws -> Result
  ) throws -> Result {
    let session = try beginSession(features)
    defer { endSession(session) }
    return try body(session)
  }

  /// Runs an asynchronous `body` with the terminal in raw mode, on the caller's isolation, and restores the terminal.
  ///
  /// Otherwise the same as the synchronous form, for a `body` that awaits `events`.
  ///
  /// - Throws: ``TerminalError`` as in the synchronous form, and any error of `body`.
  public func withSession<Result>(
    _ features: SessionFeatures = .fullScreen, isolation: isolated (any Actor)? = #isolation,
    _ body: (TerminalSession) async throws -> Result
  ) async throws -> Result {
    let session = try beginSession(features)
    defer { endSession(session) }
    return try await body(session)
  }

  private func beginSession(_ features: SessionFeatures) throws(TerminalError) -> TerminalSession {
    try SignalCore.begin(
      input: input, output: output, entering: Array(features.entering.utf8), leaving: Array(features.leaving.utf8))
    return TerminalSession(device: self)
  }

  private func endSession(_ session: TerminalSession) {
    session.end()
    SignalCore.end()
  }
}
