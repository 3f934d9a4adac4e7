import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A pseudoterminal: the test holds one end, and a program uses the other.
final class PseudoTerminal {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// A terminal's mode, as far as raw mode changes it.
  struct Mode: Equatable {
    var input: tcflag_t
    var output: tcflag_t
    var local: tcflag_t
  }

  /// The test's end.
  let controller: Int32
  /// The program's end.
  let terminal: Int32
  private(set) var received = ""
  /// How many of the received bytes `wait` has passed.
  private var awaited = 0

  init() throws {
    let path: String
    (controller, path) = try Self.open()
    terminal = PseudoTerminal.openEnd(path, O_RDWR | O_NOCTTY)
    guard terminal >= 0 else { throw Failure(description: "cannot open \(path): \(errno)") }
    for descriptor in [controller, terminal] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
  }

  /// Opens a new pair: the test's end, and the path of the program's end.
  private static func open() throws -> (controller: Int32, path: String) {
    #if canImport(Darwin)
      let controller = posix_openpt(O_RDWR | O_NOCTTY)
      guard controller >= 0, grantpt(controller) == 0, unlockpt(controller) == 0, let name = ptsname(controller) else {
        throw Failure(description: "no pseudo terminal: \(errno)")
      }
      return (controller, String(cString: name))
    #else
      // These calls replace posix_openpt and grantpt, which glibc's header does not expose to Swift.
      let controller = openEnd("/dev/ptmx", O_RDWR | O_NOCTTY)
      let (unlock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)  // TIOCSPTLCK, TIOCGPTN
      var (locked, index): (Int32, Int32) = (0, 0)
      guard controller >= 0, ioctl(controller, unlock, &locked) == 0, ioctl(controller, number, &index) == 0 else {
        throw Failure(description: "no pseudo terminal: \(errno)")
      }
      return (controller, "/dev/pts/\(index)")
    #endif
  }

  /// Running children; they are ended when a test fails.
  private var children: [pid_t] = []

  deinit {
    for child in children {
      kill(child, SIGKILL)
      waitpid(child, nil, 0)
    }
    close(controller)
    close(terminal)
  }

  func mode() throws -> Mode {
    var mode = termios()
    guard tcgetattr(terminal, &mode) == 0 else { throw Failure(description: "no mode: \(errno)") }
    return Mode(input: mode.c_iflag, output: mode.c_oflag, local: mode.c_lflag)
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(controller, bytes, bytes.count)
  }

  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
  }

  /// Reads until the program has written `text` after the previously awaited text; throws after 30 seconds.
  func wait(for text: String) throws {
    var found: Range<String.Index>?
    while true {
      let start = received.utf8.index(received.startIndex, offsetBy: awaited)
      found = received[start...].firstRange(of: text)
      if found != nil { break }
      var waiting = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
      var bytes = [UInt8](repeating: 0, count: 4_096)
      guard poll(&waiting, 1, 30_000) > 0, case let count = read(controller, &bytes, bytes.count), count > 0 else {
        throw Failure(description: "\(text) did not come, only \(received.debugDescription)")
      }
      received += String(decoding: bytes[..<count], as: UTF8.self)
    }
    // Keeps the rest of the received bytes, because they can contain the next text.
    if let found { awaited = received.utf8.distance(from: received.startIndex, to: found.upperBound) }
  }

  /// Reads the bytes that the program has written since the last read.
  func drain() {
    var waiting = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while poll(&waiting, 1, 0) > 0, case let count = read(controller, &bytes, bytes.count), count > 0 {
      received += String(decoding: bytes[..<count], as: UTF8.self)
    }
  }

  /// Starts the probe with this terminal as input and output.
  func spawn(_ ending: String) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // The test's thread blocks most signals, and a child would inherit the mask.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // A child would keep the descriptors of other tests open.
    #if canImport(Darwin)
      let closing = POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      let closing: Int32 = 0
    #endif
    posix_spawnattr_setflags(&attributes, Int16(Int32(POSIX_SPAWN_SETSIGMASK) | Int32(closing)))
    posix_spawn_file_actions_adddup2(&actions, terminal, 0)
    for descriptor: Int32 in [1, 2] { posix_spawn_file_actions_adddup2(&actions, 0, descriptor) }
    #if !canImport(Darwin)
      Self.closeDescriptors(from: 3, in: &actions)
    #endif
    let probe = try Self.probe()
    var arguments = [strdup(probe), strdup(ending), nil]
    var environment = [strdup("SWIFT_BACKTRACE=enable=no"), strdup("TERM=xterm-256color"), nil]
    defer { (arguments + environment).forEach { free($0) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, probe, &actions, &attributes, &arguments, &environment)
    guard code == 0 else { throw Failure(description: "cannot start \(probe): \(code)") }
    children.append(child)
    return child
  }

  /// How a child ended.
  enum Ending: Equatable {
    case status(Int32)
    case signal(Int32)
  }

  func ending(of child: pid_t) throws -> Ending {
    var status: Int32 = 0
    while waitpid(child, &status, 0) != child {
      guard errno == EINTR else { throw Failure(description: "no child: \(errno)") }
    }
    children.removeAll { $0 == child }
    return status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F)
  }

  /// The probe, which is built next to the tests.
  static func probe() throws -> String {
    let starts = [CommandLine.arguments[0]] + Bundle.allBundles.map(\.bundlePath) + [Bundle.main.bundlePath + "/x"]
    let candidates = starts.map {
      URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("TerminalProbe").path
    }
    guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else {
      throw Failure(description: "no probe among \(candidates)")
    }
    return found
  }
}

extension PseudoTerminal {
  private static func openEnd(_ path: String, _ flags: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.open(path, flags)
    #else
      Glibc.open(path, flags)
    #endif
  }

  #if !canImport(Darwin)
    /// Closes all descriptors of a child from a number on, where the C library can: glibc does from 2.34 on, and hides it
    /// from Swift behind a macro.
    private static func closeDescriptors(from first: Int32, in actions: inout posix_spawn_file_actions_t) {
      typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
      guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
      _ = unsafeBitCast(symbol, to: CloseFrom.self)(&actions, first)
    }
  #endif
}
