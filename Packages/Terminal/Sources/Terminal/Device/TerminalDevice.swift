import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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

  /// Standard input and standard output.
  public static let standardOutput = TerminalDevice(input: STDIN_FILENO, output: STDOUT_FILENO)
  /// Standard input and standard error: for progress, so that it does not mix with the data in a pipe.
  public static let standardError = TerminalDevice(input: STDIN_FILENO, output: STDERR_FILENO)

  /// Creates a device for two open descriptors, which must stay open as long as the device is used.
  public init(input: Int32, output: Int32) {
    self.input = input
    self.output = output
  }

  /// Whether the output is a terminal, not a pipe or a file.
  public var isTerminal: Bool { isatty(output) == 1 }

  /// Whether both sides are terminals, so that a session can be opened.
  public var isInteractive: Bool { isTerminal && isatty(input) == 1 }

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
  ///
  /// Uses the process's environment by default.
  public func colorCapability(
    environment: [String: String]? = nil
  ) -> ColorCapability {
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

  /// Writes all of the bytes, for example a picture into a pipe; otherwise the same as writing a text.
  ///
  /// - Throws: `TerminalError`, as for a text.
  public func write(_ bytes: some Collection<UInt8>) throws(TerminalError) {
    writing.lock()
    defer { writing.unlock() }
    try DescriptorOutput.writeAll(bytes, to: output)
  }
}
