import Foundation
import Terminal
import TestSupport

/// The command `snapshots` on a pseudo-terminal, in the folder of a project.
///
/// `@unchecked Sendable`: a test uses it from one task, and each wait ends before the next begins. Blocking reads run on a
/// separate thread.
final class TerminalProcess: @unchecked Sendable {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// The mode of a terminal, as far as raw mode changes it.
  struct Mode: Equatable {
    let input: tcflag_t
    let output: tcflag_t
    let local: tcflag_t
  }

  /// Its folder exists as long as the process.
  private let project: Project
  private let controller: Int32
  private let process: ChildProcess
  private(set) var reader: ScreenReader
  /// The mode before the start of the command.
  private let initialMode: Mode?
  private var bytes: [UInt8] = []

  /// Starts the command with a terminal of its own as its controlling terminal.
  init(
    _ arguments: [String], in project: Project, columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws {
    let program = try ChildProcess.path(besideTests: "snapshots")
    let controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (locked, index): (Int32, Int32) = (0, 0)
    // TIOCSPTLCK and TIOCGPTN: glibc's `unlockpt` and `ptsname` are not visible in Swift.
    guard controller >= 0, ioctl(controller, 0x4004_5431 as UInt, &locked) == 0,
      ioctl(controller, 0x8004_5430 as UInt, &index) == 0
    else { throw Failure(description: "cannot open a pseudo-terminal: \(errno)") }
    (self.project, self.controller) = (project, controller)
    reader = ScreenReader(columns: columns, rows: rows)
    Self.resize(controller, columns: columns, rows: rows)
    initialMode = Self.mode(of: controller)
    let variables = ["PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "SWIFT_BACKTRACE": "enable=no"]
    do {
      process = try ChildProcess(
        "/bin/bash",
        [
          "-c", #"cd "$1" && shift && exec setsid --ctty "$@" <> "$0" >&0 2>&0"#, "/dev/pts/\(index)", project.root,
          program,
        ] + arguments, environment: variables.merging(environment) { $1 })
    } catch {
      close(controller)
      throw error
    }
  }

  deinit { close(controller) }

  /// Whether the terminal has the mode, the screen and the cursor that it had before the command.
  var isRestored: Bool {
    initialMode != nil && Self.mode(of: controller) == initialMode && !reader.isFullScreen && reader.isCursorVisible
  }

  /// Types a text.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(controller, bytes, bytes.count)
  }

  /// Resizes the window, which sends a signal to the command.
  func resize(columns: Int, rows: Int) {
    reader = ScreenReader(columns: columns, rows: rows)
    Self.resize(controller, columns: columns, rows: rows)
  }

  /// Sends a signal.
  func signal(_ number: Int32) { process.send(number) }

  /// Reads until the screen contains a text, or until the test's time limit.
  func wait(for text: String) async throws {
    guard await endingWithTest({ self.read { $0.screen.text.contains(text) } }) else {
      throw Failure(description: "\(text) did not appear before the command ended:\n\(reader.screen.text)")
    }
  }

  /// Reads to the end and returns the exit status, or minus the signal's number.
  func ending() async -> Int32 {
    await endingWithTest { while self.readSome() {} }
    return await process.outcome().status
  }

  /// Runs a blocking read, which ends with the process when the test is cancelled.
  private func endingWithTest<Value: Sendable>(_ reading: @escaping @Sendable () -> Value) async -> Value {
    await withTaskCancellationHandler {
      await onThread(reading)
    } onCancel: {
      process.send(SIGKILL)
    }
  }

  private func read(until isMet: (ScreenReader) -> Bool) -> Bool {
    while !isMet(reader) {
      guard readSome() else { return false }
    }
    return true
  }

  private func readSome() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 4_096)
    let count = Foundation.read(controller, &chunk, chunk.count)
    guard count > 0 else { return count < 0 && errno == EINTR }
    bytes += chunk[..<count]
    // An incomplete UTF-8 sequence stays in `bytes`.
    var whole = bytes.count
    while whole > 0, String(validating: bytes[..<whole], as: UTF8.self) == nil, bytes.count - whole < 4 { whole -= 1 }
    reader.receive(String(decoding: bytes[..<whole], as: UTF8.self))
    bytes.removeFirst(whole)
    return true
  }

  private static func resize(_ controller: Int32, columns: Int, rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
  }

  private static func mode(of controller: Int32) -> Mode? {
    var mode = termios()
    guard tcgetattr(controller, &mode) == 0 else { return nil }
    return Mode(input: mode.c_iflag, output: mode.c_oflag, local: mode.c_lflag)
  }
}
