import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A terminal, or whatever stands in its place: a pair of descriptors to read keys from and write text to.
///
/// It owns neither descriptor and closes none. Safe to use from any thread; each `write` reaches the output whole.
///
/// ```swift
/// let device = TerminalDevice.standardOutput
/// try device.write("\(device.size().columns) columns\n")
/// ```
public final class TerminalDevice: Sendable {
  let input: Int32
  let output: Int32
  private let writing = NSLock()

  /// Standard input and standard output.
  public static let standardOutput = TerminalDevice(input: STDIN_FILENO, output: STDOUT_FILENO)
  /// Standard input and standard error: where progress goes, so that it stays out of a pipe's data.
  public static let standardError = TerminalDevice(input: STDIN_FILENO, output: STDERR_FILENO)

  /// A device on two open descriptors, which must stay open as long as the device is used.
  public init(input: Int32, output: Int32) {
    self.input = input
    self.output = output
  }

  /// Whether the output is a terminal, not a pipe or a file.
  public var isTerminal: Bool { isatty(output) == 1 }

  /// Whether both sides are terminals, so that a session can be opened.
  public var isInteractive: Bool { isTerminal && isatty(input) == 1 }

  /// The size now: what the output reports, else `COLUMNS` and `LINES`, else 80 by 24.
  ///
  /// The environment is the process's unless one is given.
  public func size(environment: [String: String]? = nil) -> TerminalSize {
    var window = winsize()
    let isKnown = ioctl(output, UInt(TIOCGWINSZ), &window) == 0
    let reported = isKnown ? TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row)) : nil
    return TerminalSize(reported: reported, environment: environment ?? ProcessInfo.processInfo.environment)
  }

  /// How many colours the output can show, by `ColorCapability.init(environment:isTerminal:)`.
  ///
  /// The environment is the process's unless one is given.
  public func colorCapability(
    environment: [String: String]? = nil
  ) -> ColorCapability {
    ColorCapability(environment: environment ?? ProcessInfo.processInfo.environment, isTerminal: isTerminal)
  }

  /// Writes all of the text, waiting as long as the reader takes.
  ///
  /// Interruptions, partial writes and a full non-blocking descriptor are seen to. Blocks the thread; nothing is
  /// buffered here.
  ///
  /// - Throws: `TerminalError` of kind `.closed` when nobody reads any more, `.system` when writing fails otherwise. The
  ///   process never dies of SIGPIPE by it, whatever its handling of that signal.
  public func write(_ text: String) throws(TerminalError) {
    try write(text.utf8)
  }

  /// Writes all of the bytes, as the other form writes a text: a picture, for instance, into a pipe.
  ///
  /// - Throws: `TerminalError`, as the other form does.
  public func write(_ bytes: some Collection<UInt8>) throws(TerminalError) {
    writing.lock()
    defer { writing.unlock() }
    try DescriptorOutput.write(bytes, to: output)
  }
}
