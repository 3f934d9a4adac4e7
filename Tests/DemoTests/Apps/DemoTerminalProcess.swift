import Foundation
import ParallelTesting

/// The demo command, or a shell to start it from, on a pseudo-terminal, as a person has it in a window: keys go in, the window
/// is read.
///
/// `@unchecked Sendable`: a test uses it from one task, and each wait is over before the next begins; what blocks runs on a
/// thread that may be blocked.
final class DemoTerminalProcess: @unchecked Sendable {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let controller: Int32
  private let process: ChildProcess
  private(set) var screen: DemoScreenReader

  /// A shell as somebody has it who types commands; `$demo` is the command.
  static func shell(columns: Int = 80, rows: Int = 24) throws -> DemoTerminalProcess {
    try DemoTerminalProcess(["--norc", "--noprofile", "-i"], of: "/bin/bash", columns: columns, rows: rows)
  }

  /// Starts the command, or another program, with this terminal as its controlling one.
  init(
    _ arguments: [String], of path: String? = nil, columns: Int = 80, rows: Int = 24,
    terminal: String = "xterm-256color", locale: String? = nil
  ) throws {
    let demo = try ChildProcess.path(besideTests: "demo")
    screen = DemoScreenReader(columns: columns, rows: rows)
    let controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (locked, index): (Int32, Int32) = (0, 0)
    // What unlockpt and ptsname do; glibc's header keeps them from Swift: TIOCSPTLCK, TIOCGPTN.
    guard controller >= 0, ioctl(controller, 0x4004_5431 as UInt, &locked) == 0,
      ioctl(controller, 0x8004_5430 as UInt, &index) == 0
    else { throw Failure(description: "no pseudo-terminal: \(errno)") }
    self.controller = controller
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(controller, UInt(TIOCSWINSZ), &size)

    // A shell makes the terminal all three streams, and takes the variable of the prompt away that it was given itself.
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

  /// Types some bytes.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(controller, bytes, bytes.count)
  }

  /// Gives the window another size, which the command hears of by a signal.
  func resize(columns: Int, rows: Int) {
    screen = DemoScreenReader(columns: columns, rows: rows)
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
  }

  /// Reads until the window shows what a test waits for, or until the test's time is over.
  func wait(_ what: String, until isThere: @escaping @Sendable (DemoScreenReader) -> Bool) async throws {
    try await waiting(for: what) {
      guard await endingWithTest({ self.reads(until: isThere) }) else {
        throw Failure(description: "\(what) did not come before the end:\n\(screen.lines.joined(separator: "\n"))")
      }
    }
  }

  /// Reads to the end, and gives the exit status, or minus the signal.
  func ending() async -> Int32 {
    await endingWithTest { while self.readSome() {} }
    return await process.outcome().status
  }

  /// Sends a signal.
  func signal(_ number: Int32) { process.send(number) }

  /// Reads, which comes to its end with the process, and the process with the time of the test.
  private func endingWithTest<Value: Sendable>(_ reading: @escaping @Sendable () -> Value) async -> Value {
    await withTaskCancellationHandler {
      await onThread(reading)
    } onCancel: {
      process.send(SIGKILL)
    }
  }

  /// - Returns: Whether it has come to be there.
  private func reads(until isThere: (DemoScreenReader) -> Bool) -> Bool {
    while screen.isDrawing || !isThere(screen) {
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
    // A character that is cut waits for its rest.
    var whole = bytes.count
    while whole > 0, String(validating: bytes[..<whole], as: UTF8.self) == nil, bytes.count - whole < 4 { whole -= 1 }
    screen.receive(String(decoding: bytes[..<whole], as: UTF8.self))
    bytes.removeFirst(whole)
    return true
  }
}
