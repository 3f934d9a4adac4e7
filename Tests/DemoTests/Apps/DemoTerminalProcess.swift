import Foundation
import TestSupport

/// The demo command, or a shell that starts it, on a pseudo-terminal.
///
/// `@unchecked Sendable`: a test uses it from one task, and each wait ends before the next begins. Blocking reads run on a
/// separate thread.
final class DemoTerminalProcess: @unchecked Sendable {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let controller: Int32
  private let process: ChildProcess
  private(set) var screen: DemoScreenReader

  /// Starts an interactive shell, in which `$demo` is the path of the command.
  static func shell(columns: Int = 80, rows: Int = 24) throws -> DemoTerminalProcess {
    try DemoTerminalProcess(["--norc", "--noprofile", "-i"], of: "/bin/bash", columns: columns, rows: rows)
  }

  /// Starts the command or another program with this terminal as its controlling terminal.
  init(
    _ arguments: [String], of path: String? = nil, columns: Int = 80, rows: Int = 24,
    terminal: String = "xterm-256color", locale: String? = nil
  ) throws {
    let demo = try ChildProcess.path(besideTests: "demo")
    screen = DemoScreenReader(columns: columns, rows: rows)
    let controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (locked, index): (Int32, Int32) = (0, 0)
    // TIOCSPTLCK and TIOCGPTN: glibc's `unlockpt` and `ptsname` are not visible in Swift.
    guard controller >= 0, ioctl(controller, 0x4004_5431 as UInt, &locked) == 0,
      ioctl(controller, 0x8004_5430 as UInt, &index) == 0
    else { throw Failure(description: "no pseudo-terminal: \(errno)") }
    self.controller = controller
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(controller, UInt(TIOCSWINSZ), &size)

    // The script connects all three streams to the terminal. It sets the prompt itself, because Bash removes an inherited PS1.
    let script = #"export PS1='$ '; exec setsid --ctty "$@" <> "$0" >&0 2>&0"#
    let environment = [
      "PATH": "/usr/bin:/bin", "TERM": terminal, "SWIFT_BACKTRACE": "enable=no", "HISTFILE": "",
      "demo": demo,
    ].merging(locale.map { ["LC_ALL": $0] } ?? [:]) { $1 }
    do {
      process = try ChildProcess(
        "/bin/bash", ["-c", script, "/dev/pts/\(index)", path ?? demo] + arguments, environment: environment)
    } catch {
      close(controller)
      throw error
    }
  }

  deinit { close(controller) }

  /// Types a text.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(controller, bytes, bytes.count)
  }

  /// Resizes the window, which sends a signal to the command.
  func resize(columns: Int, rows: Int) {
    screen = DemoScreenReader(columns: columns, rows: rows)
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
  }

  /// Reads until the window meets a condition, or until the test's time limit.
  func wait(_ what: String, until isMet: @escaping @Sendable (DemoScreenReader) -> Bool) async throws {
    try await waiting(for: what) {
      guard await endingWithTest({ self.readOutput(until: isMet) }) else {
        throw Failure(
          description: "\(what) did not appear before the process ended:\n\(screen.lines.joined(separator: "\n"))")
      }
    }
  }

  /// Reads to the end and returns the exit status, or minus the signal's number.
  func ending() async -> Int32 {
    await endingWithTest { while self.readSome() {} }
    return await process.outcome().status
  }

  /// Sends a signal.
  func signal(_ number: Int32) { process.send(number) }

  /// Runs a blocking read, which ends with the process when the test is cancelled.
  private func endingWithTest<Value: Sendable>(_ reading: @escaping @Sendable () -> Value) async -> Value {
    await withTaskCancellationHandler {
      await onThread(reading)
    } onCancel: {
      process.send(SIGKILL)
    }
  }

  /// - Returns: Whether the condition was met before the output ended.
  private func readOutput(until isMet: (DemoScreenReader) -> Bool) -> Bool {
    while screen.isDrawing || !isMet(screen) {
      guard readSome() else { return false }
    }
    return true
  }

  private var bytes: [UInt8] = []

  private func readSome() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 4_096)
    let count = read(controller, &chunk, chunk.count)
    guard count > 0 else { return count < 0 && errno == EINTR }
    bytes += chunk[..<count]
    // An incomplete UTF-8 sequence stays in `bytes`.
    var whole = bytes.count
    while whole > 0, String(validating: bytes[..<whole], as: UTF8.self) == nil, bytes.count - whole < 4 { whole -= 1 }
    screen.receive(String(decoding: bytes[..<whole], as: UTF8.self))
    bytes.removeFirst(whole)
    return true
  }
}
