import Foundation
import Synchronization

/// What a session asks of the terminal besides raw mode, undone when it ends.
public struct SessionFeatures: OptionSet, Hashable, Sendable {
  /// One bit for each feature.
  public let rawValue: UInt8

  /// The features whose bits are set.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A second screen that leaves what was there before untouched.
  public static let alternateScreen = SessionFeatures(rawValue: 1 << 0)
  /// No cursor until a repaint shows it.
  public static let hiddenCursor = SessionFeatures(rawValue: 1 << 1)
  /// Pastes told apart from typing.
  public static let bracketedPaste = SessionFeatures(rawValue: 1 << 2)
  /// All three: what a full-screen program wants.
  public static let fullScreen: SessionFeatures = [.alternateScreen, .hiddenCursor, .bracketedPaste]

  /// The bytes that switch the features on.
  var entering: String {
    (contains(.alternateScreen) ? "\u{1B}[?1049h\u{1B}[H\u{1B}[2J" : "")
      + (contains(.hiddenCursor) ? "\u{1B}[?25l" : "")
      + (contains(.bracketedPaste) ? "\u{1B}[?2004h" : "")
  }

  /// The bytes that switch them off, in the reverse order, and the plain style and the cursor on.
  var leaving: String {
    "\u{1B}[m" + (contains(.bracketedPaste) ? "\u{1B}[?2004l" : "") + "\u{1B}[?25h"
      + (contains(.alternateScreen) ? "\u{1B}[?1049l" : "")
  }
}

/// Something that happens to a terminal during a session.
public enum TerminalEvent: Hashable, Sendable {
  /// A key, a paste, or a sequence without a meaning.
  case input(InputEvent)
  /// The window has another size; paint everything.
  case resized(TerminalSize)
  /// The program was stopped and goes on, raw mode and features on again; the size may be another. Paint everything.
  case resumed(TerminalSize)
  /// The terminal is gone; nothing comes after it.
  case endOfInput
}

/// A terminal in raw mode, which is put back when the session ends, however it ends.
///
/// Get one from `TerminalDevice.withSession`. Safe to use from any thread.
public final class TerminalSession: Sendable {
  /// The terminal that the session is on.
  public let device: TerminalDevice
  private let reader: EventReader

  init(device: TerminalDevice) {
    self.device = device
    reader = EventReader(device: device)
  }

  /// Waits for the next event; `nil` when the limit passes first or `interrupt()` is called, and after the session.
  ///
  /// Blocks the calling thread, so call it from a thread of your own; `events` is for tasks. One caller waits at a
  /// time, others after it. A lone Esc is told from the start of a special key 50 ms after it came.
  ///
  /// - Throws: `TerminalError` of kind `.system` when reading fails.
  public func readEvent(within limit: Duration? = nil) throws(TerminalError) -> TerminalEvent? {
    try reader.next(timeout: limit)
  }

  /// Makes one waiting `readEvent`, or the next one when none waits, return `nil`.
  public func interrupt() { reader.interrupt() }

  /// The events as they come, read on a thread of their own until the stream is dropped or the session ends.
  ///
  /// The last event is `.endOfInput` when the terminal goes away. Every call starts a stream, and each event goes to
  /// one of them: make one.
  ///
  /// - Throws: what `readEvent` throws, from the iteration.
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

  /// Stops the process as Ctrl-Z does in other programs, the terminal put back meanwhile; `.resumed` comes after.
  public func suspend() { SignalCore.suspend() }

  func end() { reader.end() }
}

/// A flag that is raised once, from any thread.
final class Flag: Sendable {
  private let value = Atomic(false)
  var isRaised: Bool { value.load(ordering: .acquiring) }
  func raise() { value.store(true, ordering: .releasing) }
}

extension TerminalDevice {
  /// Runs `body` with the terminal in raw mode and puts it back after, however the body or the process ends.
  ///
  /// That is: when `body` returns or throws, when the process exits, when a signal ends it (SIGINT, SIGTERM, SIGHUP,
  /// SIGQUIT) and when it crashes (SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS). A signal's own effect
  /// follows, exit status included. Only SIGKILL and `_exit` leave the terminal as it is.
  ///
  /// A process in the background is stopped before it touches the terminal, as by `less`, and goes on when the shell brings
  /// it to the foreground.
  ///
  /// In raw mode Ctrl-C and Ctrl-Z arrive as keys. SIGTSTP stops the process with the terminal put back, SIGCONT takes
  /// it again. Signals that were ignored before stay ignored; handlers installed before are called after the terminal
  /// is back, and installed again when the session ends.
  ///
  /// ```swift
  /// try TerminalDevice.standardOutput.withSession { session in
  ///   while let event = try session.readEvent(), event != .input(.key(.escape)) { … }
  /// }
  /// ```
  ///
  /// - Throws: `TerminalError` of kind `.notATerminal` when input or output is none, `.busy` when the process has a
  ///   session already, `.system` when the mode cannot be set; and what `body` throws.
  public func withSession<Result>(
    _ features: SessionFeatures = .fullScreen, _ body: (TerminalSession) throws -> Result
  ) throws -> Result {
    let session = try beginSession(features)
    defer { endSession(session) }
    return try body(session)
  }

  /// Runs an asynchronous `body` with the terminal in raw mode, on the caller's isolation, and puts it back after.
  ///
  /// The same as the synchronous form, for a `body` that awaits `events`.
  ///
  /// - Throws: ``TerminalError`` as that does, and what `body` throws.
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
