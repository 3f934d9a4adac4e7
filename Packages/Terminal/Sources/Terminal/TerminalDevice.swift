import Foundation

/// A terminal or a substitute for it: a descriptor to read keys from and a descriptor to write text to.
///
/// The device does not own or close its descriptors. It is safe to use from any thread; concurrent writes do not
/// interleave.
///
/// ```swift
/// let device = TerminalDevice.standardOutput
/// try device.write("\(device.size().columns) columns\n")
/// ```
public final class TerminalDevice: Sendable {
  let input: Int32
  let output: Int32
  private let writing = NSLock()

  public static let standardOutput = TerminalDevice(input: STDIN_FILENO, output: STDOUT_FILENO)
  /// Standard input and standard error: for progress, so that it does not mix with the data in a pipe.
  public static let standardError = TerminalDevice(input: STDIN_FILENO, output: STDERR_FILENO)

  /// Creates a device for two open descriptors, which must stay open as long as the device is used.
  public init(input: Int32, output: Int32) {
    self.input = input
    self.output = output
  }

  public var isTerminal: Bool { isatty(output) == 1 }

  /// Returns the current size: the size that the output reports, else `COLUMNS` and `LINES`, else 80 by 24.
  ///
  /// Uses the process's environment by default.
  public func size(environment: [String: String]? = nil) -> TerminalSize {
    var window = winsize()
    let isKnown = ioctl(output, UInt(TIOCGWINSZ), &window) == 0
    let reported = isKnown ? TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row)) : nil
    return TerminalSize(reported: reported, environment: environment ?? ProcessInfo.processInfo.environment)
  }

  /// Returns the colours that the output supports, as determined by `ColorCapability.init(environment:isTerminal:)`.
  public func colorCapability(environment: [String: String]? = nil) -> ColorCapability {
    ColorCapability(environment: environment ?? ProcessInfo.processInfo.environment, isTerminal: isTerminal)
  }

  /// Writes all of the text, and blocks the thread until it is written.
  ///
  /// Handles interruptions, partial writes and a full non-blocking descriptor. Does not buffer.
  ///
  /// - Throws: `TerminalError` of kind `.closed` when the reader of the output has closed it, `.system` when writing
  ///   fails otherwise. A closed pipe never terminates the process with SIGPIPE, whatever its handling of that signal.
  public func write(_ text: String) throws(TerminalError) {
    try write(text.utf8)
  }

  /// Writes all of the bytes; otherwise the same as writing a text.
  public func write(_ bytes: some Collection<UInt8>) throws(TerminalError) {
    writing.lock()
    defer { writing.unlock() }
    try DescriptorOutput.writeAll(bytes, to: output)
  }
}

enum DescriptorOutput {
  /// Writes all the bytes.
  ///
  /// Retries after interruptions and partial writes, waits while a non-blocking descriptor is full, and throws an error
  /// for a closed pipe instead of raising SIGPIPE.
  static func writeAll(_ bytes: some Collection<UInt8>, to descriptor: Int32) throws(TerminalError) {
    let bytes = Array(bytes)
    var written = 0
    while written < bytes.count {
      let (count, code) = withoutBrokenPipeSignal {
        bytes.withUnsafeBytes { buffer in
          buffer.baseAddress.map { write(descriptor, $0 + written, bytes.count - written) } ?? 0
        }
      }
      if count >= 0 {
        written += count
        continue
      }
      switch code {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK:
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&waiting, 1, -1)
      case EPIPE: throw .closed(descriptor: descriptor)
      default: throw .writing(descriptor: descriptor, code: code)
      }
    }
  }

  /// Calls `body` with SIGPIPE blocked in this thread, and consumes a SIGPIPE that it causes.
  ///
  /// The process's own handling of SIGPIPE does not change.
  private static func withoutBrokenPipeSignal(_ body: () -> Int) -> (count: Int, code: Int32) {
    var pipe = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    let count = body()
    let code = errno
    if count < 0, code == EPIPE, !wasPending {
      sigpending(&pending)
      var taken: Int32 = 0
      if sigismember(&pending, SIGPIPE) == 1 { sigwait(&pipe, &taken) }
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return (count, code)
  }
}

/// The size of a terminal in cells.
public struct TerminalSize: Hashable, Sendable {
  public var columns: Int
  public var rows: Int

  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// Creates the size to use: the reported size, else `COLUMNS` and `LINES`, else 80 by 24, each side separately.
  ///
  /// A side that is not a positive number is ignored. The maximum for a side is `Screen.maximumSide`.
  public init(reported: TerminalSize?, environment: [String: String]) {
    let side = { (reported: Int?, name: String, fallback: Int) in
      let said = [reported, environment[name].flatMap { Int($0) }].compactMap { $0 }.first { $0 > 0 }
      return min(said ?? fallback, Screen.maximumSide)
    }
    self.init(columns: side(reported?.columns, "COLUMNS", 80), rows: side(reported?.rows, "LINES", 24))
  }
}
