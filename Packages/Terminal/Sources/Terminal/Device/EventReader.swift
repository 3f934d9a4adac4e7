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
