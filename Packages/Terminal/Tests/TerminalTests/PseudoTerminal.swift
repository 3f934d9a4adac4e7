#if os(Linux)
  import Foundation
  import Glibc

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

    init() throws {
      let path: String
      (controller, path) = try Self.open()
      terminal = Glibc.open(path, O_RDWR | O_NOCTTY)
      guard terminal >= 0 else { throw Failure(description: "cannot open \(path): \(errno)") }
      for descriptor in [controller, terminal] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    /// Opens a new pair: the test's end, and the path of the program's end.
    private static func open() throws -> (controller: Int32, path: String) {
      // These calls replace posix_openpt and grantpt, which glibc's header does not expose to Swift.
      let controller = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY)
      let (unlock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)  // TIOCSPTLCK, TIOCGPTN
      var (locked, index): (Int32, Int32) = (0, 0)
      guard controller >= 0, ioctl(controller, unlock, &locked) == 0, ioctl(controller, number, &index) == 0 else {
        throw Failure(description: "no pseudo terminal: \(errno)")
      }
      return (controller, "/dev/pts/\(index)")
    }

    deinit {
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

    /// Reads the bytes that the program has written since the last read.
    func drain() {
      var waiting = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
      var bytes = [UInt8](repeating: 0, count: 4_096)
      while poll(&waiting, 1, 0) > 0, case let count = read(controller, &bytes, bytes.count), count > 0 {
        received += String(decoding: bytes[..<count], as: UTF8.self)
      }
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
#endif
