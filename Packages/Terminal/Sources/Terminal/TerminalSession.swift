import Foundation
import Synchronization

/// An event of a terminal during a session.
public enum TerminalEvent: Hashable, Sendable {
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
  /// Blocks the calling thread, so call it from a dedicated thread. A lone Esc is
  /// reported 50 ms after it arrives, to distinguish it from the start of a special key. Ctrl-\ is not reported: the process
  /// receives SIGQUIT.
  ///
  /// - Throws: `TerminalError` of kind `.system` when reading fails.
  public func readEvent() throws(TerminalError) -> TerminalEvent? {
    try reader.next()
  }

  /// Makes one waiting `readEvent` return `nil`, or the next call if none is waiting.
  public func interrupt() { reader.interrupt() }

  /// Discards the keys that were typed and not read, for a program that must not act on what its user has not seen.
  ///
  /// Call it on the thread that reads the events.
  public func discardInput() { reader.discard() }

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
  /// It is restored when the process exits, is terminated by SIGINT, SIGTERM, SIGHUP or SIGQUIT, and when it crashes. The
  /// signal's own effect follows, including the exit status. SIGKILL, `_exit`, other signals, and a stack overflow leave the
  /// terminal in raw mode.
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
  public func withSession<Result>(
    environment: [String: String]? = nil, isolation: isolated (any Actor)? = #isolation,
    _ body: (TerminalSession) async throws -> Result
  ) async throws -> Result {
    let session = try beginSession(environment)
    defer { endSession(session) }
    return try await body(session)
  }

  /// Returns the error of a session that cannot be opened here; `nil` if input and output are a terminal with a cursor.
  public func sessionError(environment: [String: String]? = nil) -> TerminalError? {
    for descriptor in [input, output] where isatty(descriptor) != 1 { return .notATerminal(descriptor) }
    let type = (environment ?? ProcessInfo.processInfo.environment)["TERM"] ?? ""
    return ["", "dumb", "unknown"].contains(type) ? .cannotMoveCursor(type) : nil
  }

  private func beginSession(_ environment: [String: String]?) throws(TerminalError) -> TerminalSession {
    if let error = sessionError(environment: environment) { throw error }
    try SignalCore.begin(input: input, output: output)
    return TerminalSession(device: self)
  }

  private func endSession(_ session: TerminalSession) {
    session.end()
    SignalCore.end()
  }
}

/// Reads a terminal's bytes and the notifications of the signal handlers, and converts them into events.
///
/// `@unchecked Sendable`: `parser`, `queue` and `isAtEnd` are accessed only while `reading` is locked.
final class EventReader: @unchecked Sendable {
  private let device: TerminalDevice
  private let reading = NSLock()
  private let isInterrupted = Atomic(false)
  private let isEnded = Atomic(false)
  private var parser = KeyParser()
  // A slice, because removing an array's first element moves all others, and an unbracketed paste is thousands of events.
  private var queue: ArraySlice<TerminalEvent> = []
  private var isAtEnd = false

  /// The time to wait after a lone Esc for the rest of a special key, in milliseconds.
  private static let escapeDelay: Int32 = 50

  /// Ctrl-\, which sends SIGQUIT outside of raw mode.
  private static let quitKey = TerminalEvent.input(.key(.character("\\"), .control))

  init(device: TerminalDevice) { self.device = device }

  func next() throws(TerminalError) -> TerminalEvent? {
    reading.lock()
    defer { reading.unlock() }
    while true {
      if isEnded.load(ordering: .acquiring) { return nil }
      if isInterrupted.exchange(false, ordering: .acquiringAndReleasing) { return nil }
      if let event = note() { return event }
      if let event = queue.popFirst() {
        guard event == Self.quitKey else { return event }
        SignalCore.quit()
        continue
      }
      if isAtEnd { return nil }
      // Without a limit unless an Esc waits for more bytes.
      switch try ready(within: parser.isWaiting ? Self.escapeDelay : -1) {
      case .input: try readInput()
      case .note: continue
      case .nothing: queue += parser.timeout().map(TerminalEvent.input)
      }
    }
  }

  func interrupt() {
    isInterrupted.store(true, ordering: .releasing)
    SignalCore.wake()
  }

  func discard() {
    reading.lock()
    defer { reading.unlock() }
    tcflush(device.input, TCIFLUSH)
    (parser, queue) = (KeyParser(), [])
  }

  func end() {
    isEnded.store(true, ordering: .releasing)
    SignalCore.wake()
  }

  private func note() -> TerminalEvent? {
    if SignalCore.takeResumed() { return .resumed(device.size()) }
    return SignalCore.takeResized() ? .resized(device.size()) : nil
  }

  private enum Readiness {
    case input
    case note
    case nothing
  }

  private func ready(within milliseconds: Int32) throws(TerminalError) -> Readiness {
    var waiting = [
      pollfd(fd: device.input, events: Int16(POLLIN), revents: 0),
      pollfd(fd: SignalCore.wakeDescriptor, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&waiting, 2, milliseconds)
    if count < 0 {
      let code = errno
      guard code == EINTR || code == EAGAIN else {
        throw .system("wait for keys", descriptor: device.input, code: code)
      }
      return .note
    }
    if waiting[1].revents != 0 {
      SignalCore.drainWake()
      return .note
    }
    return waiting[0].revents != 0 ? .input : .nothing
  }

  private func readInput() throws(TerminalError) {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = bytes.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map { read(device.input, $0, buffer.count) } ?? 0
    }
    if count > 0 {
      queue += parser.feed(bytes[..<count]).map(TerminalEvent.input)
      return
    }
    let code = errno
    switch (count, code) {
    case (-1, EINTR), (-1, EAGAIN): return
    // A terminal whose window was closed returns EIO.
    case (0, _), (-1, EIO):
      queue += parser.timeout().map(TerminalEvent.input) + [.endOfInput]
      isAtEnd = true
    default: throw .system("read keys", descriptor: device.input, code: code)
    }
  }
}
