#if os(Linux)
  internal import Foundation
  internal import Terminal
  internal import TestSupport

  /// A program on a pseudo-terminal, which is its controlling terminal.
  ///
  /// ```swift
  /// let terminal = try TerminalProcess("/usr/bin/less", ["README.md"])
  /// try await terminal.wait(for: "# Terminal")
  /// terminal.type("q")
  /// #expect(await terminal.ending() == 0 && terminal.isRestored)
  /// ```
  ///
  /// It needs `bash` and `setsid`. A test uses it from one task, and each wait ends before the next begins. Blocking reads run
  /// on a separate thread. When the task is cancelled, for example at a time limit, the program is killed.
  ///
  /// `@unchecked Sendable`: the mutable state is accessed by one read at a time, as described above.
  public final class TerminalProcess: @unchecked Sendable {
    /// The error of a pseudo-terminal that cannot be opened, or of output that ended before the expected text.
    public struct Failure: Error, CustomStringConvertible {
      public var description: String

      public init(description: String) { self.description = description }
    }

    /// The mode of a terminal, as far as raw mode changes it.
    private struct Mode: Equatable {
      let input: tcflag_t
      let output: tcflag_t
      let local: tcflag_t
    }

    public private(set) var reader: ScreenReader
    private let controller: Int32
    private let process: ChildProcess
    private let resource: Any?
    private let initialMode: Mode?
    private var bytes: [UInt8] = []

    /// Starts a program.
    ///
    /// The `environment` has variables in addition to `PATH`, `TERM=xterm-256color` and a plain prompt of Bash. This object retains
    /// `resource`, for example a temporary folder that the program uses.
    ///
    /// - Throws: ``Failure`` without a pseudo-terminal, or the error of a program that cannot be started.
    public init(
      _ path: String, _ arguments: [String] = [], in folder: String = ".", columns: Int = 80, rows: Int = 24,
      environment: [String: String] = [:], keeping resource: Any? = nil
    ) throws {
      let controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var (locked, index): (Int32, Int32) = (0, 0)
      // TIOCSPTLCK and TIOCGPTN: glibc's `unlockpt` and `ptsname` are not visible in Swift.
      guard controller >= 0, ioctl(controller, 0x4004_5431 as UInt, &locked) == 0,
        ioctl(controller, 0x8004_5430 as UInt, &index) == 0
      else {
        let reason = String(cString: strerror(errno))
        throw Failure(
          description: "Cannot open a pseudo-terminal: \(reason). Check that /dev/ptmx and /dev/pts can be used.")
      }
      self.controller = controller
      self.resource = resource
      reader = ScreenReader(columns: columns, rows: rows)
      Self.resize(controller, columns: columns, rows: rows)
      initialMode = Self.mode(of: controller)
      // Connects all three streams to the terminal. Sets the prompt itself, because Bash removes an inherited PS1.
      let script = #"cd "$1" && shift && export PS1='$ ' && exec setsid --ctty "$@" <> "$0" >&0 2>&0"#
      let variables = [
        "PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "SWIFT_BACKTRACE": "enable=no", "HISTFILE": "",
      ]
      do {
        process = try ChildProcess(
          "/bin/bash", ["-c", script, "/dev/pts/\(index)", folder, path] + arguments,
          environment: variables.merging(environment) { $1 })
      } catch {
        close(controller)
        throw error
      }
    }

    deinit { close(controller) }

    /// Whether the mode is as before the program, the main screen is shown, and the cursor is visible.
    public var isRestored: Bool {
      initialMode != nil && Self.mode(of: controller) == initialMode && !reader.isFullScreen && reader.isCursorVisible
    }

    public func type(_ text: String) {
      let bytes = Array(text.utf8)
      _ = write(controller, bytes, bytes.count)
    }

    /// Resizes the window, so that the program receives SIGWINCH, and replaces ``reader`` by an empty one.
    public func resize(columns: Int, rows: Int) {
      reader = ScreenReader(columns: columns, rows: rows)
      Self.resize(controller, columns: columns, rows: rows)
    }

    public func signal(_ number: Int32) { process.send(number) }

    /// Reads until the screen contains a text.
    ///
    /// - Throws: ``Failure`` when the output ends before the text appears.
    public func wait(for text: String) async throws { try await wait(text) { $0.screen.text.contains(text) } }

    /// Reads until the screen meets a condition, and no synchronized update is incomplete.
    ///
    /// - Throws: ``Failure`` when the output ends before that.
    public func wait(_ what: String, until isMet: @escaping @Sendable (ScreenReader) -> Bool) async throws {
      let hasAppeared = await killingAtCancellation {
        while self.reader.isDrawing || !isMet(self.reader) {
          guard self.readSome() else { return false }
        }
        return true
      }
      guard hasAppeared else {
        throw Failure(description: "\(what) did not appear before the program ended:\n\(reader.screen.text)")
      }
    }

    /// Reads until the program ends, and returns its exit status, or minus the number of the signal that ended it.
    public func ending() async -> Int32 {
      await killingAtCancellation { while self.readSome() {} }
      return await process.outcome().status
    }

    /// Runs a blocking read, which ends with the process when the task is cancelled.
    private func killingAtCancellation<Value: Sendable>(_ reading: @escaping @Sendable () -> Value) async -> Value {
      await withTaskCancellationHandler {
        await onThread(reading)
      } onCancel: {
        process.send(SIGKILL)
      }
    }

    private func readSome() -> Bool {
      var chunk = [UInt8](repeating: 0, count: 4_096)
      let count = read(controller, &chunk, chunk.count)
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
#endif
