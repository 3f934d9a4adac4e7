import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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

  func next(timeout: Duration?) throws(TerminalError) -> TerminalEvent? {
    reading.lock()
    defer { reading.unlock() }
    let deadline = timeout.map { ContinuousClock.now + $0 }
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
      let left = deadline.map { ($0 - .now).wholeMilliseconds }
      let wait = parser.isWaiting ? min(Self.escapeDelay, left ?? Self.escapeDelay) : left ?? -1
      switch try ready(within: wait) {
      case .input: try readInput()
      case .note: continue
      case .nothing:
        if parser.isWaiting, wait == Self.escapeDelay { queue += parser.timeout().map(TerminalEvent.input) }
        if let deadline, queue.isEmpty, ContinuousClock.now >= deadline { return nil }
      }
    }
  }

  func interrupt() {
    isInterrupted.store(true, ordering: .releasing)
    SignalCore.wake()
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

extension Duration {
  /// The number of milliseconds for `poll`, at least 0 and rounded up, so that the deadline has passed after the wait.
  fileprivate var wholeMilliseconds: Int32 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    return Int32(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
