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
  private let process: pid_t
  private var hasEnded = false
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
    let path = path ?? demo
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

    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // POSIX_SPAWN_SETSID, a macro that is not imported.
    posix_spawnattr_setflags(&attributes, Int16(Int32(POSIX_SPAWN_SETSIGMASK) | 0x80))
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/pts/\(index)", O_RDWR, 0)
    for descriptor: Int32 in [1, 2] { posix_spawn_file_actions_adddup2(&actions, 0, descriptor) }
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    let environment =
      [
        "PATH=/usr/bin:/bin", "TERM=\(terminal)", "SWIFT_BACKTRACE=enable=no", "PS1=$ ", "HISTFILE=",
        "demo=\(demo)",
      ] + (locale.map { ["LC_ALL=\($0)"] } ?? [])
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for word in words + variables { free(word) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, path, &actions, &attributes, &words, &variables)
    guard code == 0 else { throw Failure(description: "cannot start \(path): \(code)") }
    process = child
  }

  deinit {
    if !hasEnded {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    close(controller)
  }

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

  /// Reads until the window shows what a test waits for; a minute without it is a failure.
  func wait(_ what: String, until isThere: @escaping @Sendable (DemoScreenReader) -> Bool) async throws {
    try await onThread { Result { try self.waitBlocking(what, isThere) } }.get()
  }

  /// Reads to the end, and gives the exit status, or minus the signal.
  func ending() async -> Int32 { await onThread { self.endingBlocking() } }

  private func waitBlocking(_ what: String, _ isThere: (DemoScreenReader) -> Bool) throws {
    while screen.isDrawing || !isThere(screen) {
      var waiting = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 60_000) > 0 else {
        throw Failure(description: "\(what) did not come:\n\(screen.lines.joined(separator: "\n"))")
      }
      guard readSome() else {
        throw Failure(description: "\(what) did not come before the end:\n\(screen.lines.joined(separator: "\n"))")
      }
    }
  }

  private func endingBlocking() -> Int32 {
    while readSome() {}
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    hasEnded = true
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
  }

  /// Sends a signal.
  func signal(_ number: Int32) { kill(process, number) }

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
